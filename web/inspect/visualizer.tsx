// A machine's source to take along: what the statechart visualizer takes when it is pasted.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Command } from '../components/secret.js'
import { Dialog } from '../components/dialog.js'
import { When } from '../components/states.js'
import { useLoad } from '../load.js'

export function OpenInVisualizer({ machine }: { machine: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open in the visualizer
      </button>
      {isOpen && (
        <Dialog title={`The ${machine} in the visualizer`} onClose={() => setOpen(false)}>
          <Source machine={machine} />
        </Dialog>
      )}
    </>
  )
}

function Source({ machine }: { machine: string }) {
  const source = useLoad(() => api.text('GET /api/machines/{machine}/source', { path: { machine } }), [machine])
  return (
    <div class="source">
      <p>
        Copy the source and paste it at stately.ai/editor or wherever XState runs. It stands by itself: guards hold when
        the message says so.
      </p>
      <When of={source}>{(text) => <Command text={text} what={`source of ${machine}`} />}</When>
    </div>
  )
}
