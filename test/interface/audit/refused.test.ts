// What the audit log records of refused commands: their traces, and nothing where they left none.
import test, { type ExecutionContext } from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { charts } from '../../../machines/index.js'
import { inviteMember } from '../../../src/commands/people/members.js'
import type { StoredEntry } from '../../../src/domain/audit/forms.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import { AuditLog } from '../../../src/store/audit/log.js'
import { done, newOrganization, openBare } from '../../support/commands.js'
import {
  createAgent,
  createDelegation,
  createWallet,
  rename,
  say,
  setStatus,
  type Letter,
} from '../../support/messages.js'
import { after, execute, NOON, PAIR, pay, world } from '../../support/host.js'

const FREEZE = say('FREEZE', `organization/${NOON.organization}`, NOON, { reason: 'Look' })
const UNFREEZE = say('UNFREEZE', `organization/${NOON.organization}`, NOON)

/** Sends letters, and lists what the log has of a kind of actor. */
function opened(t: ExecutionContext) {
  const { store } = openBare(t)
  const host = new EmbeddedHost(charts, store, { hotActors: 100 })
  const log = new AuditLog(store)
  const by = { type: 'AGENT_KEY', id: 'key' }
  return {
    send: async (...letters: Letter[]): Promise<string[]> => {
      const replies = []
      for (const { to, message } of letters) replies.push(await deliver(host, by, to, message))
      return replies.map((reply) => (reply.ok ? reply.actor.state : reply.code))
    },
    logged: async (resource: string): Promise<string[]> => {
      const entries: StoredEntry[] = await log.all(NOON.organization, { resource })
      return entries.map(({ action }) => action)
    },
  }
}

test('a refused execution is recorded with its causes once, however often it is repeated', async (t) => {
  const { send, logged } = opened(t)
  await send(...world(), pay('p', 1), FREEZE)
  const attempt = (minutes: number): Letter => execute('p', after(minutes * 60_000))
  t.deepEqual(await send(attempt(1), attempt(2), attempt(3)), ['INVALID_STATUS', 'INVALID_STATUS', 'INVALID_STATUS'])
  t.deepEqual(await logged('payment'), ['payment.request', 'payment.attempt'])
  await send(UNFREEZE, setStatus(NOON, 'a', 'PAUSE'), attempt(1), attempt(2))
  t.deepEqual(await logged('payment'), ['payment.request', 'payment.attempt', 'payment.attempt'], 'another cause')
  await send(setStatus(NOON, 'a', 'ACTIVATE'), attempt(3))
  t.is((await logged('payment')).at(-1), 'payment.execute')
})

test('a confirmation with a hash that is used elsewhere is not recorded', async (t) => {
  const { send, logged } = opened(t)
  const permit = (id: string): Letter => say('PERMIT', `payment/${id}`, NOON, { permitForMs: 60_000 })
  const confirm = (id: string): Letter =>
    say('CONFIRM', `payment/${id}`, NOON, { txHash: '0x1', transferKey: 'hash.0x1' })
  await send(...world(), pay('p', 1), pay('q', 1), permit('p'), permit('q'), confirm('p'))
  const before = await logged('payment')
  t.is(before.at(-1), 'payment.confirm')
  t.deepEqual(await send(confirm('q'), confirm('q')), ['ALREADY_EXECUTED', 'ALREADY_EXECUTED'])
  t.deepEqual(await logged('payment'), before)
})

test('a refused creation and a refused new name are not recorded', async (t) => {
  const { send, logged } = opened(t)
  await send(...world(), createAgent(NOON, 'b', 'ben'))
  const kinds = ['agent', 'wallet', 'delegation']
  const before = await Promise.all(kinds.map(logged))
  const refused = await send(
    createAgent(NOON, 'again', 'ada'),
    rename(NOON, 'b', 'ada'),
    createWallet(NOON, 'again', '0x1'),
    createDelegation(NOON, 'again', PAIR, {}),
  )
  t.deepEqual(refused, ['ALREADY_EXISTS', 'ALREADY_EXISTS', 'ALREADY_EXISTS', 'ALREADY_EXISTS'])
  t.deepEqual(await Promise.all(kinds.map(logged)), before)
})

test('an invitation to an address that is taken is not recorded', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const invite = () => inviteMember(bare.services, admin, { email: 'ada@example.com', role: 'ADMIN' })
  const { organization } = admin.principal
  done(await invite())
  const last = await bare.services.auditLog.last(organization)
  t.like(await invite(), { ok: false, refusal: { code: 'ALREADY_EXISTS' } })
  t.is(await bare.services.auditLog.last(organization), last)
})
