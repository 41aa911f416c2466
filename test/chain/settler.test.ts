// What the settler asks of custodians and makes of their answers, as far as it needs no chain.
import { charts } from '../../machines/index.js'
import { metaOfActor } from '../../src/actor/turn.js'
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import type { View } from '../../src/actor/host.js'
import { Accounts } from '../../src/chain/accounts.js'
import { CustodyError, type Custody, type Submission } from '../../src/chain/custody.js'
import { ChainNode } from '../../src/chain/node.js'
import { withTimeout } from '../../src/chain/withTimeout.js'
import { TransferSteps, type PaymentMessage } from '../../src/chain/transferSteps.js'
import type { OutsideCall } from '../../src/domain/payment/settlement.js'
import { readSanctionsList } from '../../src/domain/parties/sanctions.js'

const FROM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TO = '0x00000000000000000000000000000000000000a1'
const TOKEN = '0x00000000000000000000000000000000000070C3'
const NOWHERE = {
  chainId: '31337',
  url: 'http://127.0.0.1:1',
  asset: TOKEN,
  decimals: 6,
  confirmations: 1,
  mostFeeGwei: 1,
  freshMs: 0,
}

const terms = {
  amount: 1,
  asset: TOKEN,
  chainType: 'EVM',
  recipientAddress: TO,
  wallet: { address: FROM, chainId: '31337', custodyType: 'PROVIDER_A' },
}

function paymentIn(state: string, context: object = {}): Actor<'payment'> {
  const kept = {
    id: 'p1',
    organization: 'o1',
    terms,
    transfers: [],
    txHash: null,
    provider: 'x',
    gates: [],
    expiresAt: 1,
    transactionId: 't',
    sending: 1,
  }
  return {
    ref: 'payment/p1',
    version: charts.payment.version,
    state,
    context: { ...kept, ...context },
  } as unknown as Actor<'payment'>
}

const ACTIVE = {
  organization: 'kept.active',
  agent: 'registered.active',
  delegation: 'active',
  wallet: 'kept.active',
}
const everybody: View = (ref) => {
  const kind = ref.split('/')[0] as keyof typeof charts & keyof typeof ACTIVE
  return { ref, version: charts[kind].version, state: ACTIVE[kind] } as never
}

const LIST = readSanctionsList(JSON.stringify({ list: 'L', source: 'S', asOf: '2024-01-01', addresses: [TOKEN] }))
const list = LIST.ok ? LIST.value : undefined

/** The settler's message to a payment that waits in this state. */
async function answerOf(
  custody: Custody,
  payment: Actor<'payment'>,
  call: OutsideCall,
  view = everybody,
): Promise<PaymentMessage> {
  const now = (): number => 1
  const nodes = new Map([['31337', new ChainNode(NOWHERE)]])
  const parts = {
    metaOf: (actor: Actor) => metaOfActor(charts, actor),
    accounts: new Accounts({} as never, now),
    nodes,
    custody: () => custody,
    sanctions: () => list,
    objection: async () => undefined,
    take: async () => true,
    look: async () => view,
  }
  const settler = new TransferSteps({ ...parts, now, replaceAfterMs: 10 })
  return settler.answer(payment, call, async (said, stillValid = () => true) => (stillValid(view) ? said : undefined))
}

/** A provider that knows no transfer; `asked` collects the keys that are submitted. */
function provider(id: string, submission: () => Promise<Submission>): { custody: Custody; asked: string[] } {
  const asked: string[] = []
  const submit = async (_: object, key: string): Promise<Submission> => {
    asked.push(key)
    return submission()
  }
  return { custody: { kind: 'submitter', id, submit, status: async () => ({ is: 'absent' }) }, asked }
}

const accepts = async (): Promise<Submission> => ({ is: 'accepted' })

test('A transfer entrusted to one provider is never submitted to another', async (t) => {
  const other = provider('y', accepts)
  t.is((await answerOf(other.custody, paymentIn('transferring.submitting'), 'broadcast'))?.type, 'UNKNOWN')
  await t.throwsAsync(answerOf(other.custody, paymentIn('transferring.unknown'), 'lookup'), {
    message: /entrusted to x/,
  })
  t.deepEqual(other.asked, [])
  const same = provider('x', accepts)
  t.is((await answerOf(same.custody, paymentIn('transferring.unknown'), 'lookup'))?.type, 'ACCEPTED')
  t.deepEqual(same.asked, ['t.1'])
})

test('A transfer is not submitted while its agent is inactive, however often it is looked up', async (t) => {
  const frozen: View = (ref) =>
    (ref as string) === 'agent/a1' ? ({ ref, version: 1, state: 'registered.paused' } as never) : everybody(ref)
  const known = { terms: { ...terms, agentId: 'a1' } }
  const { custody, asked } = provider('x', accepts)
  t.is((await answerOf(custody, paymentIn('transferring.submitting', known), 'broadcast', frozen))?.type, 'UNKNOWN')
  await t.throwsAsync(answerOf(custody, paymentIn('transferring.unknown', known), 'lookup', frozen), {
    message: /not ACTIVE/,
  })
  t.deepEqual(asked, [])
  t.is((await answerOf(custody, paymentIn('transferring.unknown', known), 'lookup'))?.type, 'ACCEPTED')
})

test('The provider that a payment is entrusted to is recorded in the payment', async (t) => {
  const { custody } = provider('y', accepts)
  const said = await answerOf(custody, paymentIn('transferring.signing', { provider: null }), 'sign')
  t.deepEqual(said, { type: 'ENTRUSTED', provider: 'y' })
})

test('Nothing is entrusted or signed for a payment that expired more than a minute ago', async (t) => {
  const { custody } = provider('y', accepts)
  const told = async (expiresAt: number) => answerOf(custody, paymentIn('transferring.signing', { expiresAt }), 'sign')
  t.like(await told(1 - 60_000), { type: 'ENTRUSTED' })
  t.like(await told(-60_000), { type: 'UNMADE', code: 'EXPIRED' })
})

/** Errors as adapters throw them, which are not of this service's classes. */
const ERRORS: [thrown: unknown, code: string, message: RegExp][] = [
  [
    Object.assign(new Error('No key of this address'), { code: 'WALLET_CONFIG_ERROR' }),
    'WALLET_CONFIG_ERROR',
    /No key/,
  ],
  [{ code: 'INSUFFICIENT_BALANCE', message: 'The vault is empty' }, 'INSUFFICIENT_BALANCE', /vault/],
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'UNAVAILABLE', /is not reachable/],
  [Object.assign(new Error('gone'), { code: 'NOT_FOUND' }), 'UNAVAILABLE', /is not reachable/],
  [undefined, 'UNAVAILABLE', /is not reachable/],
]

test("An adapter's error is recognized by its code, whatever its class", async (t) => {
  for (const [thrown, code, message] of ERRORS) {
    const custody: Custody = { kind: 'signer', account: () => Promise.reject(thrown) }
    const said = (await answerOf(custody, paymentIn('transferring.signing'), 'sign'))!
    t.like(said, { type: 'UNMADE', code })
    t.regex(String(said['message']), message)
  }
})

test("A provider's refusal with an unknown code becomes WALLET_CONFIG_ERROR", async (t) => {
  const refusals = [
    ['POLICY', 'WALLET_CONFIG_ERROR'],
    ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE'],
  ] as const
  for (const [code, shown] of refusals) {
    const { custody } = provider('x', async () => ({ is: 'refused', code: code as never, message: 'No' }))
    const said = await answerOf(custody, paymentIn('transferring.submitting'), 'broadcast')
    t.like(said, { type: 'UNMADE', code: shown, message: 'No' })
  }
})

test('What a provider says is stored as well-formed text of a bounded length', async (t) => {
  const message = `No\ud83d ${'x'.repeat(2_000)}`
  const kept = `No\ufffd ${'x'.repeat(996)}`
  const refused: Submission = { is: 'refused', code: 'UNAVAILABLE', message }
  for (const submission of [refused, { ...refused, code: 'POLICY' as never }]) {
    const { custody } = provider('x', async () => submission)
    t.like(await answerOf(custody, paymentIn('transferring.submitting'), 'broadcast'), { message: kept })
  }
  const thrower: Custody = { kind: 'signer', account: () => Promise.reject(refused) }
  t.like(await answerOf(thrower, paymentIn('transferring.signing'), 'sign'), { message: kept })
  const custody: Custody = { ...provider('x', accepts).custody, status: async () => refused } as Custody
  t.like(await answerOf(custody, paymentIn('transferred.submitted'), 'lookup'), { type: 'REVERTED', reason: kept })
})

const LIMIT_MS = 20
const BOUNDS = { limitMs: LIMIT_MS, mayAct: () => {} }
const never = (): Promise<never> => new Promise(() => {})

test('A signer that does not answer times out as UNAVAILABLE, and no transfer is made', async (t) => {
  const account = { address: FROM, signTransaction: never } as never
  const silent: Custody[] = [
    { kind: 'signer', account: never },
    { kind: 'signer', account: async () => account },
  ]
  const late = { code: 'UNAVAILABLE', message: /did not answer in time/ } as never
  for (const custody of silent) {
    const signer = withTimeout(custody, BOUNDS)
    if (signer.kind !== 'signer') return t.fail()
    await t.throwsAsync(
      signer.account(FROM, 'o1').then((one) => one.signTransaction({ chainId: 1 })),
      late,
    )
  }
  const said = await answerOf(withTimeout(silent[0]!, BOUNDS), paymentIn('transferring.signing'), 'sign')
  t.like(said, { type: 'UNMADE', code: 'UNAVAILABLE' })
})

test('If a provider does not answer a submission, the outcome is UNKNOWN, and a lookup times out', async (t) => {
  const { custody } = provider('x', never)
  const silent: Custody = { ...custody, status: never } as Custody
  const said = await answerOf(withTimeout(silent, BOUNDS), paymentIn('transferring.submitting'), 'broadcast')
  t.is(said?.type, 'UNKNOWN')
  const asked = answerOf(withTimeout(silent, BOUNDS), paymentIn('transferring.unknown'), 'lookup')
  await t.throwsAsync(asked, { message: /did not answer in time/ })
})

test('A custody is asked nothing by a process that must not act any more', async (t) => {
  const { custody, asked } = provider('x', never)
  const mayAct = (): void => {
    throw new CustodyError('UNAVAILABLE', 'This node does not own its shard any more')
  }
  const bounded = withTimeout(custody, { limitMs: LIMIT_MS, mayAct })
  if (bounded.kind !== 'submitter') return t.fail()
  await t.throwsAsync(bounded.submit({} as never, 'key'), { name: 'CustodyError' })
  await t.throwsAsync(bounded.status('key'), { name: 'CustodyError' })
  t.deepEqual(asked, [])
})
