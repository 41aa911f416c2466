// What agents do with payments on wallets: request, execute, cancel, and pay by themselves from external wallets.
import type { Agent, Credential, Organization, Payment, Rail } from '../organization.js'
import { learn, one, recent, request, somebody, type Action, type Stage } from '../stage.js'
import type { Body } from '../world.js'

/** A key of the agent, alive or not. */
export function keyOf(stage: Stage, agent: Agent): Credential {
  const live = agent.keys.filter(({ isEnded }) => !isEnded)
  return one(stage, stage.random.chance(0.1) ? agent.keys : live) ?? agent.keys[0]!
}

/** Remembers a payment as its first answer says, or as a later one does. */
export function note(organization: Organization, body: Body, more: () => Omit<Payment, keyof Shown>): void {
  const shown = shownIn(body)
  if (shown.id === undefined) return
  const known = organization.payments.find(({ id }) => id === shown.id)
  if (known) Object.assign(known, shown)
  else
    organization.payments.push({
      approvalId: undefined,
      token: undefined,
      expiresAt: undefined,
      ...more(),
      ...shown,
    } as Payment)
}

type Shown = Pick<Payment, 'id' | 'status' | 'amount' | 'approvalId' | 'token' | 'expiresAt'>

function shownIn(body: Body): Partial<Shown> {
  const { requestId: id, status, amount, approvalRequestId: approvalId, approvalToken: token } = body
  const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt)
  const shown = { id, status, amount, approvalId, token, expiresAt }
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
}

async function ask(stage: Stage, rail: Rail & ('request' | 'external')): Promise<void> {
  const { random, organization, world } = stage
  const isExternal = rail === 'external'
  const agent = random.pick(organization.agents)
  const delegations = organization.delegations.filter((each) => each.agent === agent)
  const wallet = delegations.map((each) => each.wallet).find((each) => each.isExternal === isExternal)
  if (!wallet || agent.keys.length === 0) return
  const recipient = random.pick(organization.recipients)
  // Often at a limit or a mark.
  const amount = random.chance(0.3) ? random.pick([5, 10, 20, 25]) : 1 + random.below(32)
  const paymentKey = random.chance(0.4) ? `order-${random.below(3)}` : undefined
  const purchase = { amount, recipientAddress: recipient.address, ...(paymentKey && { paymentKey }) }
  const from = isExternal ? { senderAddress: wallet.address, chainId: '84532' } : { walletId: wallet.id }
  const told = await request(stage, {
    by: keyOf(stage, agent),
    method: 'POST',
    path: isExternal ? '/api/sdk/payments/approve' : '/api/sdk/payments/request',
    body: { ...purchase, ...from, ...(!isExternal && { autoExecute: random.chance(0.25) }) },
    needs: isExternal ? 'payments:approve' : 'payments:request',
  })
  note(organization, told.body, () => ({ rail, agent, recipient, wallet, card: undefined, paymentKey, at: world.now }))
}

async function execute(stage: Stage): Promise<void> {
  const payment = recent(stage, stage.organization.payments.filter(isTransfer))
  if (payment) await act(stage, payment, 'execute', 'payments:execute')
}

async function cancel(stage: Stage): Promise<void> {
  const payment = recent(stage, stage.organization.payments)
  if (payment) await act(stage, payment, 'cancel', 'payments:request')
}

/** An agent asks again for the right to pay by itself. */
async function permit(stage: Stage): Promise<void> {
  const payment = recent(stage, stage.organization.payments.filter(isExternal))
  if (payment) await act(stage, payment, 'approve', 'payments:approve')
}

async function act(stage: Stage, payment: Payment, verb: string, needs: string): Promise<void> {
  const path = `/api/sdk/payments/${payment.id}/${verb}`
  const told = await request(stage, { by: keyOf(stage, payment.agent), method: 'POST', path, needs })
  if (told.status < 300) note(stage.organization, told.body, () => payment)
}

/** With the hash of its own transfer, or by mistake with that of another; sometimes with another payment's token. */
async function confirm(stage: Stage): Promise<void> {
  const { random, organization } = stage
  const permitted = organization.payments.filter((each) => isExternal(each) && each.token !== undefined)
  const payment = recent(stage, permitted)
  if (!payment) return
  const token = random.chance(0.15) ? random.pick(permitted).token : payment.token
  const txHash = `0x${String(random.below(50)).padStart(64, 'e')}`
  const path = `/api/sdk/payments/${payment.id}/confirm`
  const body = { txHash, approvalToken: token! }
  const by = keyOf(stage, payment.agent)
  const told = await request(stage, { by, method: 'POST', path, body, needs: 'payments:confirm' })
  if (told.status < 300) note(organization, told.body, () => payment)
}

async function release(stage: Stage): Promise<void> {
  const payment = recent(stage, stage.organization.payments)
  if (!payment) return
  const path = `/api/payments/${payment.id}/release`
  const body = { reason: 'It was never paid', allowRetry: stage.random.chance(0.5) }
  const needs = 'transactions:write'
  const told = await request(stage, { by: somebody(stage, needs), method: 'POST', path, body, needs })
  if (told.status < 300) note(stage.organization, told.body, () => payment)
}

async function read(stage: Stage): Promise<void> {
  const payment = recent(stage, stage.organization.payments)
  if (!payment) return
  const path = `/api/sdk/payments/${payment.id}`
  const told = await request(stage, { by: keyOf(stage, payment.agent), method: 'GET', path, needs: 'payments:read' })
  if (told.status < 300) note(stage.organization, told.body, () => payment)
}

/** What was sent before under an idempotency key; one time in four with another body. */
async function repeat(stage: Stage): Promise<void> {
  const { world, random, organization } = stage
  const repeated = one(stage, organization.repeatable)
  if (!repeated) return
  const { call, learned } = repeated
  const isOther = call.body !== undefined && random.chance(0.25)
  const sent = isOther ? { ...call, body: { ...call.body, isAnother: true } } : call
  learn(stage, sent, await world.ask(sent), learned)
}

const isTransfer = ({ rail }: Payment): boolean => rail === 'request'
const isExternal = ({ rail }: Payment): boolean => rail === 'external'

export const payments: Action[] = [
  { name: 'request a payment', share: 20, act: (stage) => ask(stage, 'request') },
  { name: 'request a permit', share: 7, act: (stage) => ask(stage, 'external') },
  { name: 'execute', share: 14, act: execute },
  { name: 'ask for the permit again', share: 3, act: permit },
  { name: 'confirm', share: 5, act: confirm },
  { name: 'cancel', share: 5, act: cancel },
  { name: 'release', share: 2, act: release },
  { name: 'read a payment', share: 3, act: read },
  { name: 'repeat a request', share: 7, act: repeat },
]
