// What a change would do, field by field: the current value beside the new one, the rules of a policy as sentences.
// Unchanged values are not repeated.
import { uncased } from '../format/words.js'
import { fieldLabel, isFields, type Fields } from './anyValue.js'
import { FieldValue } from './fieldValue.js'
import type { Change } from './highlight.js'
import type { Proposal } from './proposal.js'
import { Table, type Columns } from './table.js'
import { markedRule, RuleList } from '../policies/sentences.js'
import type { Rule } from '../policies/ruleTypes.js'
import '../policies/policies.css'

interface Row {
  field: string
  label: string
  before: unknown
  after: unknown
}

export function Differences({ of: { before, after = {} } }: { of: Proposal }) {
  const rows = rowsOf(after, before ?? {})
  const changed = rows.filter((row) => !isSame(row.before, row.after))
  const same = rows.filter((row) => !changed.includes(row))
  const hasRules = Array.isArray(after['rules'])
  return (
    <>
      {changed.length > 0 && <FieldTable rows={changed} isNew={before === undefined} />}
      {changed.length === 0 && !hasRules && <p>No changes: these values are already set.</p>}
      {hasRules && <Rules before={before?.['rules'] as Rule[] | undefined} after={after['rules'] as Rule[]} />}
      {same.length > 0 && <p class="hint">Unchanged: {same.map(({ label }) => label.toLowerCase()).join(', ')}.</p>}
    </>
  )
}

function rowsOf(after: Fields, before: Fields): Row[] {
  const said = Object.entries(after).filter(([field]) => field !== 'rules')
  return said.flatMap(([field, value]) => spread(field, value, before[field]))
}

/** The members of an object are compared as fields; a workflow's conditions are replaced as a whole. */
function spread(field: string, after: unknown, before: unknown): Row[] {
  if (!isFields(after)) return [{ field, label: fieldLabel(field), after, before }]
  const was = isFields(before) ? before : {}
  return Object.keys(field === 'conditions' ? { ...was, ...after } : after).map((inner) => ({
    field: inner,
    label: `${fieldLabel(field)}: ${fieldLabel(inner).toLowerCase()}`,
    after: after[inner],
    before: was[inner],
  }))
}

/** Compares content, regardless of the order of members and the letter case of addresses. */
function isSame(one: unknown, other: unknown): boolean {
  const sorted = (_: string, value: unknown): unknown =>
    isFields(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : uncased(value)
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted)
}

function FieldTable({ rows, isNew }: { rows: Row[]; isNew: boolean }) {
  const side = (row: Row, own: 'before' | 'after', other: 'before' | 'after', mark: Change) => {
    if (row[own] === undefined) return '–'
    const list = row[other]
    return <FieldValue field={row.field} of={row[own]} besides={Array.isArray(list) ? { list, mark } : undefined} />
  }
  const columns: Columns<Row> = [
    { head: 'Field', cell: ({ label }) => label },
    !isNew && { head: 'Current', cell: (row) => side(row, 'before', 'after', 'gone') },
    { head: isNew ? 'Value' : 'Proposed', cell: (row) => <strong>{side(row, 'after', 'before', 'came')}</strong> },
  ]
  return <Table caption="Proposed change" columns={columns} rows={rows} keyOf={({ label }) => label} />
}

/** An omitted operator stands for the default one. */
function saysSame(one: Rule, other: Rule): boolean {
  const isMeant = one.operator === other.operator || one.operator === null || other.operator === null
  return isMeant && isSame([one.ruleType, one.value, one.action], [other.ruleType, other.value, other.action])
}
const without = (rules: readonly Rule[], others: readonly Rule[]): Rule[] =>
  rules.filter((rule) => !others.some((other) => saysSame(rule, other)))

/** Without `before` the rules are shown without comparison. */
function Rules({ before, after }: { before: Rule[] | undefined; after: Rule[] }) {
  const gone = without(before ?? [], after)
  const came = before === undefined ? [] : without(after, before)
  const staying = before === undefined ? { whole: {} } : {}
  const lines = [
    ...gone.map((rule) => markedRule(rule, 'gone', gone, came)),
    ...after.map((rule) => (came.includes(rule) ? markedRule(rule, 'came', came, gone) : { rule, ...staying })),
  ]
  return (
    <>
      <h3>{before === undefined ? 'Rules' : 'Proposed rules'}</h3>
      <RuleList label="Rules" lines={lines} />
      {after.length === 0 && <p class="hint">No rules: the policy allows every payment.</p>}
    </>
  )
}
