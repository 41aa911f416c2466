// How the audit log records an expiry that a caller's command triggers.
import test from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { charts } from '../../../machines/index.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import { AuditLog } from '../../../src/store/audit/log.js'
import { openBare } from '../../support/commands.js'
import type { Letter } from '../../support/messages.js'
import { after, DAY, execute, NOON, pay, world } from '../../support/host.js'

test("an expiry triggered by a caller's command is attributed to the timer, without a request id", async (t) => {
  const { store } = openBare(t)
  const host = new EmbeddedHost(charts, store, { hotActors: 100 })
  const by = { type: 'AGENT_KEY', id: 'key', requestId: 'request' }
  const send = ({ to, message }: Letter) => deliver(host, by, to, message)
  for (const letter of [...world(), pay('p', 1)]) await send(letter)
  t.like(await send(execute('p', after(DAY))), { ok: false, code: 'EXPIRED' })
  const entries = await new AuditLog(store).all(NOON.organization, { resource: 'payment' })
  const logged = entries.map(({ action, actor, requestId }) => [action, actor.type, actor.id, requestId])
  t.deepEqual(logged, [
    ['payment.request', 'AGENT_KEY', 'key', 'request'],
    ['payment.expire', 'SYSTEM', 'timer', undefined],
  ])
})
