// Repeated requests get the first answer byte for byte, whatever has become of the payment and of its wallet meanwhile.
import test from 'ava'
import { newId } from '../../../src/domain/values/ids.js'
import { randomBytes } from 'node:crypto'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { execute, fundedAgent, made, RECIPIENT, type Decision, type FundedAgent } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'

const scope = wholeFile(test)
let stage: ApprovalStage

test.before('the service starts', async () => {
  stage = await startApprovals(scope)
})

interface Answered {
  text: string
  isReplay: boolean
}

async function requested({ key }: FundedAgent, body: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `${stage.url}/api/sdk/payments/request`
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { text: await reply.text(), isReplay: reply.headers.get('idempotency-replayed') === 'true' }
}

interface Replay {
  title: string
  agent?: Parameters<typeof fundedAgent>[1]
  supervised?: true
  body: object
  status: Decision['status']
  /** What becomes of it. */
  afterwards?: (agent: FundedAgent, decision: Decision) => Promise<unknown>
}

const EXTERNAL = { custodyType: 'EXTERNAL', address: `0x${'b2'.repeat(20)}` }

const REPLAYS: Replay[] = [
  {
    title: 'approved, then executed',
    body: {},
    status: 'APPROVED',
    afterwards: ({ key }, { requestId }) => execute(stage.client, key, requestId),
  },
  {
    title: 'approved, then cancelled',
    body: { purpose: 'Ünïcödé “quotes”', category: 'CLOUD', context: { a: null } },
    status: 'APPROVED',
    afterwards: ({ key }, { requestId }) => stage.client.post(`/api/sdk/payments/${requestId}/cancel`, key),
  },
  { title: 'executed at once', body: { autoExecute: true }, status: 'EXECUTED' },
  { title: 'of a purchase', body: { paymentKey: 'invoice-7', autoExecute: true }, status: 'EXECUTED' },
  {
    title: 'not executed from an external wallet',
    agent: { wallet: EXTERNAL },
    body: { autoExecute: true },
    status: 'APPROVED',
  },
  { title: 'denied by a limit', agent: { terms: { spendLimitPerTx: 1 } }, body: {}, status: 'DENIED' },
  {
    title: 'denied by several limits',
    agent: { terms: { spendLimitPerTx: 1, spendLimitDaily: 2 } },
    body: {},
    status: 'DENIED',
  },
  { title: 'denied for want of balance', agent: { balance: 1 }, body: {}, status: 'DENIED' },
  {
    title: 'put to a person, who denied it',
    supervised: true,
    body: { amount: 200 },
    status: 'REQUIRES_APPROVAL',
    afterwards: async (_, { approvalRequestId }) => {
      const person = await stage.person('ADMIN')
      const decision = { decision: 'DENIED', comment: 'No' }
      const { status } = await stage.asPerson(
        person,
        'POST',
        `/api/approval-requests/${approvalRequestId}/decision`,
        decision,
      )
      if (status !== 200) throw new Error(`The decision answered ${status}`)
    },
  },
]

for (const { title, agent: options, supervised, body, status, afterwards } of REPLAYS) {
  test(`an answer is replayed byte for byte: ${title}`, async (t) => {
    const name = newId(randomBytes)
    const agent = supervised ? await stage.supervised({ name }) : await fundedAgent(stage.client, { name, ...options })
    const asked = { amount: 5, recipientAddress: RECIPIENT, idempotencyKey: 'once', ...body }
    const first = await requested(agent, asked)
    const decision = JSON.parse(first.text) as Decision
    t.is(decision.status, status, first.text)
    await afterwards?.(agent, decision)
    await made(stage.client, `/api/wallets/${agent.walletId}/fund`, { amount: 1 })
    t.deepEqual(await requested(agent, asked), { text: first.text, isReplay: true })
  })
}
