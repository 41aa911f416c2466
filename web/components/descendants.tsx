// What a key or a member made and still gives access, as a tree of who made what: shown before its maker is removed.
import { api, type Answer } from '../api.js'
import { plural } from '../format/money.js'
import { useLoad } from '../load.js'
import { When } from './loadingStates.js'

type Descendant = Answer<'GET /api/api-keys/{keyId}/descendants'>['descendants'][number]

const KINDS: { [type in Descendant['type']]: string } = { KEY: 'key', AGENT_KEY: 'agent key', MEMBER: 'member' }

/** The label of the box that takes them along. */
export const CASCADE = 'Also revoke everything it created'

interface Props {
  of: { type: 'KEY' | 'MEMBER'; id: string }
}

export function Descendants({ of: { type, id } }: Props) {
  const loaded = useLoad(
    (signal) =>
      type === 'KEY'
        ? api.call('GET /api/api-keys/{keyId}/descendants', { path: { keyId: id } }, { signal })
        : api.call('GET /api/members/{memberId}/descendants', { path: { memberId: id } }, { signal }),
    [type, id],
  )
  return (
    <When of={loaded} rows={2}>
      {({ descendants: all }) =>
        all.length === 0 ? (
          <p>It created no other keys or members.</p>
        ) : (
          <>
            <p>It created {plural(all.length, 'key or member', 'keys and members')} that stay active:</p>
            <Tree all={all} of={rootsOf(all)} />
          </>
        )
      }
    </When>
  )
}

/** Those whose maker is not among them: it is the one that is removed, or has ended. */
function rootsOf(all: readonly Descendant[]): Descendant[] {
  const ids = new Set(all.map(({ id }) => id))
  return all.filter(({ createdBy }) => !ids.has(createdBy.id))
}

function Tree({ all, of }: { all: readonly Descendant[]; of: readonly Descendant[] }) {
  return (
    <ul class="values">
      {of.map(({ id, type, name }) => {
        const made = all.filter(({ createdBy }) => createdBy.id === id)
        return (
          <li key={id}>
            <strong>{name}</strong> <span class="hint">{KINDS[type]}</span>
            {made.length > 0 && <Tree all={all} of={made} />}
          </li>
        )
      })}
    </ul>
  )
}
