// A machine's source to copy, in the form that the statechart visualizer accepts, and the way there.
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

const EDITOR = 'https://stately.ai/editor'

function Source({ machine }: { machine: string }) {
  const source = useLoad(() => api.text('GET /api/machines/{machine}/source', { path: { machine } }), [machine])
  return (
    <div class="source">
      <ol>
        <li>Copy the source below. It stands by itself: guards hold when the message says so.</li>
        <li>
          <a href={EDITOR} target="_blank" rel="noreferrer">
            Open the Stately editor
          </a>{' '}
          and paste the source into its code panel, or run it wherever XState 5 runs.
        </li>
      </ol>
      <When of={source}>{(text) => <Command text={text} what={`source of ${machine}`} />}</When>
    </div>
  )
}
