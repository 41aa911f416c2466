// The tests of a policy: run them, add one, remove one. A change that breaks one is refused unless it is forced.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Badge } from '../components/badge.js'
import { Confirm, Opening } from '../components/dialog.js'
import { Section } from '../components/page.js'
import { Empty, Failure, Notice, When } from '../components/loadingStates.js'
import { actionColumn, Table, type Columns } from '../components/table.js'
import { AnyValue } from '../components/anyValue.js'
import { plural } from '../format/money.js'
import { useLoad } from '../load.js'
import { useMay } from '../session.js'
import type { Impact } from './draft.js'
import { readPolicy } from './policy.js'
import type { Policy, TestCase } from '../records.js'
import { TestForm } from './testForm.js'

export function TestCases({ policy }: { policy: Policy }) {
  const path = { policyId: policy.id }
  const stored = useLoad(() => api.call('GET /api/policies/{policyId}/tests', { path }), [policy.id, policy.version])
  const mayWrite = useMay('MANAGER')
  /** Based on the stored tests, because others may have changed them meanwhile. */
  const edit = async (change: (tests: readonly TestCase[]) => readonly TestCase[]): Promise<void> => {
    const { version } = await readPolicy(policy.id)
    const { tests } = await api.call('GET /api/policies/{policyId}/tests', { path })
    const body = { tests: change(tests) }
    await api.call('PUT /api/policies/{policyId}/tests', { path, body }, { ifMatch: version })
    stored.reload()
  }
  const add = (count: number) =>
    mayWrite && (
      <Opening label="Add test case" icon="plus" title="New test case">
        <TestForm at={`tests.${count}`} save={(test) => edit((all) => [...all, test])} />
      </Opening>
    )
  return (
    <When of={stored}>
      {({ tests }) => (
        <Section
          title="Test cases"
          lead="Payments with their expected decision. An edit that breaks a test case is refused unless it is forced."
          actions={add(tests.length)}
        >
          {tests.length === 0 ? (
            <Empty icon="check" title="No test cases">
              A test case states, for example, that a payment of 20 USDC for CLOUD is approved.
            </Empty>
          ) : (
            <TestResults
              policy={policy}
              tests={tests}
              onRemove={mayWrite && ((test) => edit((all) => all.filter(({ name }) => name !== test.name)))}
            />
          )}
        </Section>
      )}
    </When>
  )
}

interface ResultsProps {
  policy: Policy
  tests: TestCase[]
  onRemove: false | ((test: TestCase) => Promise<void>)
}

/** The impact of an empty edit shows which tests fail now. */
function TestResults({ policy: { id, version }, tests, onRemove }: ResultsProps) {
  const [turn, setTurn] = useState(0)
  const path = { policyId: id }
  const ran = useLoad<Impact | undefined>(
    async () =>
      turn === 0
        ? undefined
        : api.call('POST /api/policies/{policyId}/impact', { path, body: {}, query: { examples: 0 } }),
    [turn, version],
  )
  const failing = ran.data?.failingTests
  const resultOf = ({ name }: TestCase) => {
    if (failing === undefined) return <span class="hint">not run</span>
    const found = failing.find((one) => one.name === name)
    return found ? (
      <>
        <Badge status="FAILED" /> <span class="hint">{found.message}</span>
      </>
    ) : (
      <Badge status="PASSED" />
    )
  }
  const columns: Columns<TestCase> = [
    { head: 'Test case', cell: ({ name }) => name },
    { head: 'Payment', cell: ({ payment }) => <AnyValue of={payment} /> },
    {
      head: 'Conditions',
      cell: ({ facts }) =>
        Object.keys(facts).length > 0 ? <AnyValue of={facts} /> : <span class="hint">first payment to recipient</span>,
    },
    { head: 'Expected', cell: ({ expect }) => <Badge status={expect} /> },
    { head: 'Result', cell: resultOf },
    onRemove &&
      actionColumn((test) => (
        <Confirm
          label="Remove"
          about={`the test case ${test.name}`}
          title={`Remove ${test.name}?`}
          danger
          act={() => onRemove(test)}
          after={() => undefined}
          done={`${test.name} was removed`}
        >
          Edits of the policy are no longer checked against it. This cannot be undone.
        </Confirm>
      )),
  ]
  return (
    <>
      {ran.error !== undefined && <Failure error={ran.error} retry={ran.reload} />}
      {failing &&
        (failing.length === 0 ? (
          <Notice tone="good">
            {tests.length === 1 ? 'The test case passes.' : `All ${tests.length} test cases pass.`}
          </Notice>
        ) : (
          <Notice tone="danger">
            {plural(failing.length, 'test case')} of {tests.length} would fail.
          </Notice>
        ))}
      <Table caption="Test cases" columns={columns} rows={tests} keyOf={({ name }) => name} />
      <div>
        <button type="button" onClick={() => setTurn(turn + 1)}>
          Run test cases
        </button>
      </div>
    </>
  )
}
