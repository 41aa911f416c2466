// What the log says of time that a caller was the first to find over.
import test from 'ava'
import { charts } from '../../machines/index.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { AuditLog } from '../../src/store/auditLog.js'
import { openBare } from '../interface/bare.js'
import type { Letter } from '../host/messages.js'
import { after, DAY, execute, NOON, pay, world } from '../host/stage.js'

test("an expiry that a caller finds due is the doing of time, in nobody's request", async (t) => {
  const { store } = openBare(t)
  const host = new EmbeddedHost(charts, store, { hotActors: 100 })
  const by = { type: 'AGENT_KEY', id: 'key', requestId: 'request' }
  const tell = ({ to, message }: Letter) => host.ask(to, message, { by })
  for (const letter of [...world(), pay('p', 1)]) await tell(letter)
  t.like(await tell(execute('p', after(DAY))), { ok: false, code: 'EXPIRED' })
  const entries = await new AuditLog(store).all(NOON.organization, { resource: 'payment' })
  const told = entries.map(({ action, actor, requestId }) => [action, actor.type, actor.id, requestId])
  t.deepEqual(told, [
    ['payment.request', 'AGENT_KEY', 'key', 'request'],
    ['payment.expire', 'SYSTEM', 'timer', undefined],
  ])
})
