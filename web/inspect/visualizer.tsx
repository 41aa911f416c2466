// A machine's source to copy, in the form that the statechart visualizer accepts.
import { api } from '../api.js'
import { Opening } from '../components/dialog.js'
import { Command } from '../components/secret.js'
import { When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'

export function OpenInVisualizer({ machine }: { machine: string }) {
  return (
    <Opening label="Open in visualizer" title={`The ${machine} in the visualizer`}>
      <Source machine={machine} />
    </Opening>
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
