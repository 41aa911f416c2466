// A change that waits for a second person: what would be changed, from what to what.
import type { AskedChange } from './asked.js'
import { Facts } from './facts.js'
import { Time, Who } from './figures.js'
import { words } from '../format/words.js'
import { spoken, Value } from './value.js'

export function ChangeAsked({ asked }: { asked: AskedChange }) {
  const { action, resource, resourceId, requestedBy, createdAt, change } = asked
  const body = typeof change.body === 'object' && change.body !== null ? Object.entries(change.body) : []
  const query = [...new URLSearchParams(change.query)]
  return (
    <>
      <div class="card">
        <Facts of={[
          ['Change', words(action)],
          ['Of', <>{words(resource)}{resourceId && <> <code>{resourceId}</code></>}</>],
          ['Asked by', <Who by={requestedBy} />],
          ['Asked', <Time at={createdAt} />],
        ]} />
      </div>
      <div class="card">
        <h2>What it would say</h2>
        {body.length + query.length === 0
          ? <p class="hint">The request names no more than what it is about: {change.method === 'DELETE' ? 'it would be removed.' : 'nothing is to be filled in.'}</p>
          : <Facts of={[...query, ...body].map(([name, value]) => [spoken(name), <Value of={value} />])} />}
      </div>
    </>
  )
}
