// The sequence diagram of an actor, read again whenever the actor has changed.
import { useEffect, useRef } from 'preact/hooks'
import './inspect.css'
import { Notice, When } from '../components/loadingStates.js'
import { plural } from '../format/money.js'
import { useRead, type Loaded } from '../load.js'
import { SequenceDiagram } from './sequenceDiagram.js'

interface Props {
  machine: string
  actorId: string
  /** Differs after each change of the actor. */
  about: unknown
}

export function ActorStory({ machine, actorId, about }: Props) {
  const story = useRead('GET /api/machines/{machine}/actors/{actorId}/story', { path: { machine, actorId } })
  useFresh(story, about)
  return (
    <When of={story} rows={10}>
      {(found) => (
        <>
          {!found.complete && <Latest of={new Set(found.lines.map(({ sequence }) => sequence)).size} />}
          <SequenceDiagram of={found} />
        </>
      )}
    </When>
  )
}

export function Latest({ of: count }: { of: number }) {
  return <Notice>Only the latest {plural(count, 'command')} are shown. The audit log has the others.</Notice>
}

/** Reads again when the actor changes; the previous data stays until then, and with it the selected step. */
export function useFresh({ reload }: Pick<Loaded<unknown>, 'reload'>, about: unknown): void {
  const known = useRef(about)
  useEffect(() => {
    if (known.current !== undefined && known.current !== about) reload()
    known.current = about
  }, [about])
}
