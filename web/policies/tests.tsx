// The cases kept with a policy: run them, add one, remove one. A change that makes one fail is refused unless it is forced.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { Badge } from '../components/badge.js'
import { Field, Form, Select, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Opening } from '../components/opening.js'
import { Section } from '../components/page.js'
import { Empty, Failure, Notice, When } from '../components/states.js'
import { Table, type Column } from '../components/table.js'
import { Value } from '../components/value.js'
import { plural } from '../format/money.js'
import { useLoad } from '../load.js'
import { useMay } from '../session.js'
import type { Impact } from './draft.js'
import type { Policy } from './policy.js'

type Kept = Answer<'GET /api/policies/{policyId}/tests'>['tests'][number]

export function KeptTests({ policy }: { policy: Policy }) {
  const path = { policyId: policy.id }
  const kept = useLoad(() => api.call('GET /api/policies/{policyId}/tests', { path }), [policy.id, policy.version])
  const mayWrite = useMay('MANAGER')
  const replace = async (tests: readonly Kept[]): Promise<void> => {
    await api.call('PUT /api/policies/{policyId}/tests', { path, body: { tests } }, { ifMatch: policy.version })
    kept.reload()
  }
  return (
    <When of={kept}>
      {({ tests }) => (
        <Section title="Kept tests" lead="Payments with the answer they have to get. An edit that would give another answer is refused, unless it is forced."
          actions={mayWrite && (
            <Opening label={<><Icon name="plus" />Add a test</>} title="A test to keep">
              {(close) => <TestForm at={`tests.${tests.length}`} onDone={close} keep={(test) => replace([...tests, test])} />}
            </Opening>
          )}>
          {tests.length === 0
            ? <Empty icon="check" title="No tests are kept">A test says, for example, that a payment of 20 USDC for CLOUD is approved.</Empty>
            : <Ran policy={policy} tests={tests} onRemove={mayWrite ? (test) => replace(tests.filter((one) => one !== test)) : undefined} />}
        </Section>
      )}
    </When>
  )
}

interface RanProps {
  policy: Policy
  tests: Kept[]
  onRemove: ((test: Kept) => Promise<void>) | undefined
}

/** An edit of nothing tells which tests fail now. */
function Ran({ policy: { id, version }, tests, onRemove }: RanProps) {
  const [turn, setTurn] = useState(0)
  const path = { policyId: id }
  const ran = useLoad<Impact | undefined>(async () => turn === 0
    ? undefined
    : api.call('POST /api/policies/{policyId}/impact', { path, body: {}, query: { examples: 0 } }), [turn, version])
  const failing = ran.data?.failingTests
  const resultOf = ({ name }: Kept) => {
    if (failing === undefined) return <span class="hint">not run</span>
    const found = failing.find((one) => one.name === name)
    return found ? <><Badge status="FAILED" /> <span class="hint">{found.message}</span></> : <Badge status="PASSED" />
  }
  const columns: Column<Kept>[] = [
    { head: 'Test', cell: ({ name }) => name },
    { head: 'Payment', cell: ({ payment }) => <Value of={payment} /> },
    { head: 'When', cell: ({ facts }) => (Object.keys(facts).length === 0 ? <span class="hint">as a first payment</span> : <Value of={facts} />) },
    { head: 'Has to be', cell: ({ expect }) => <Badge status={expect} /> },
    { head: 'Result', cell: resultOf },
  ]
  if (onRemove) {
    columns.push({ head: 'Remove', bare: true, align: 'end', cell: (test) => <RemoveTest test={test} onRemove={onRemove} /> })
  }
  return (
    <>
      {ran.error !== undefined && <Failure error={ran.error} retry={ran.reload} />}
      {failing && (failing.length === 0
        ? <Notice tone="good">{tests.length === 1 ? 'The test passes.' : `All ${tests.length} tests pass.`}</Notice>
        : <Notice tone="danger">{plural(failing.length, 'test')} of {tests.length} would fail.</Notice>)}
      <Table caption="Kept tests" columns={columns} rows={tests} keyOf={({ name }) => name} />
      <div><button type="button" onClick={() => setTurn(turn + 1)}>Run the tests</button></div>
    </>
  )
}

function RemoveTest({ test, onRemove }: { test: Kept; onRemove: (test: Kept) => Promise<void> }) {
  const { send, busy } = useSending(async () => {
    await onRemove(test)
    return `${test.name} is no longer kept`
  })
  return (
    <button type="button" class="small" disabled={busy} onClick={() => void send()}>
      Remove<span class="visually-hidden"> the test {test.name}</span>
    </button>
  )
}

const FACTS: readonly (readonly [name: string, says: string, hint: string])[] = [
  ['dayTotal', 'Spent that day', 'By the agent, this payment included, in USDC'],
  ['weekTotal', 'Spent that week', 'By the agent, this payment included, in USDC'],
  ['monthTotal', 'Spent that month', 'By the agent, this payment included, in USDC'],
  ['total', 'Spent ever', 'By the agent, this payment included, in USDC'],
  ['count:HOUR', 'Payments in an hour', 'This one included'],
  ['count:DAY', 'Payments in 24 hours', 'This one included'],
  ['counterpartyStatus', 'Standing', 'TRUSTED, VERIFIED, UNKNOWN or BLOCKED'],
  ['trustScore', 'Trust score', 'Of the recipient, 0 to 100'],
  ['newCounterparty', 'Never paid before', 'true or false'],
  ['now', 'Moment', 'Such as 2026-01-31T09:00:00Z'],
]
const LABELS = FACTS.map(([name, says]) => [name, says] as const)

/** As the service takes it: amounts as they are written, moments as epoch milliseconds. */
function factOf(name: string, text: string): unknown {
  if (name === 'now') return Date.parse(text)
  if (name === 'newCounterparty') return text.trim() === 'true'
  if (name.startsWith('count:') || name === 'trustScore') return Number(text)
  return text.trim()
}

interface TestFormProps {
  /** Where the test will stand in the body. */
  at: string
  keep: (test: Kept) => Promise<void>
  onDone: () => void
}

function TestForm({ at, keep, onDone }: TestFormProps) {
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('')
  const [category, setCategory] = useState('')
  const [recipientAddress, setRecipientAddress] = useState('')
  const [expect, setExpect] = useState<string>('APPROVED')
  const [facts, setFacts] = useState<[name: string, text: string][]>([])
  const sending = useSending(async () => {
    const payment = { amount: String(Number(amount)) === amount ? Number(amount) : amount, ...(category && { category }), ...(recipientAddress && { recipientAddress }) }
    const known = Object.fromEntries(facts.map(([fact, text]) => [fact, factOf(fact, text)]))
    await keep({ name, payment, facts: known, expect: expect as Kept['expect'] })
    return 'The test is kept'
  })
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onDone()
    return isDone
  }
  return (
    <Form sending={{ ...sending, send }} submit="Keep the test" beside={<button type="button" onClick={onDone}>Cancel</button>}>
      <Field label="Name" path={`${at}.name`} required maxLength={100} value={name} onValue={setName} placeholder="A small cloud bill" />
      <div class="fields">
        <Field label="Amount in USDC" path={`${at}.payment.amount`} inputMode="decimal" required value={amount} onValue={setAmount} />
        <Field label="Category" path={`${at}.payment.category`} value={category} onValue={setCategory} />
      </div>
      <Field label="Recipient's address" path={`${at}.payment.recipientAddress`} value={recipientAddress} onValue={setRecipientAddress} />
      <Circumstances at={`${at}.facts`} facts={facts} onFacts={setFacts} />
      <Select label="Has to be" path="expect" value={expect} onValue={setExpect}
        options={[['APPROVED', 'Approved'], ['REQUIRES_APPROVAL', 'Put before a person'], ['DENIED', 'Denied']]} />
    </Form>
  )
}

type Facts = [name: string, text: string][]

function Circumstances({ at: path, facts, onFacts }: { at: string; facts: Facts; onFacts: (facts: Facts) => void }) {
  const put = (at: number, changed: Facts[number]): void => onFacts(facts.map((one, index) => (index === at ? changed : one)))
  const free = FACTS.filter(([name]) => !facts.some(([used]) => used === name))
  return (
    <div class="stack">
      {facts.map(([name, text], at) => (
        <div class="removable" key={name}>
          <div class="fields">
            <Select label="Circumstance" value={name} onValue={(next) => put(at, [next, text])}
              options={LABELS.filter(([one]) => one === name || free.some(([other]) => other === one))} />
            <Field label="Is" path={`${path}.${name}`} required value={text} onValue={(next) => put(at, [name, next])} hint={FACTS.find(([one]) => one === name)?.[2]} />
          </div>
          <button type="button" class="icon-button" aria-label="Remove this circumstance" onClick={() => onFacts(facts.filter((_, index) => index !== at))}>
            <Icon name="close" />
          </button>
        </div>
      ))}
      {free.length > 0 && (
        <div><button type="button" onClick={() => onFacts([...facts, [free[0]![0], '']])}><Icon name="plus" />Add a circumstance</button></div>
      )}
    </div>
  )
}
