// Two versions of a policy side by side, with removals and additions highlighted.
import { api } from '../api.js'
import type { Change } from '../components/highlight.js'
import { fieldLabel } from '../components/anyValue.js'
import { FieldValue } from '../components/fieldValue.js'
import { When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { Definition } from './policy.js'
import type { Rule } from './ruleTypes.js'
import { markedRule, RuleList } from './sentences.js'

interface Props {
  policyId: string
  from: number
  to: number
  current: number
}

const FIELDS = ['name', 'description', 'scope', 'priority', 'isActive'] as const
const LABELS: { [field: string]: string } = { scope: 'Applies to', isActive: 'Active' }

export function VersionDiff({ policyId, from, to: until, current }: Props) {
  const read = useLoad(async () => {
    const path = { policyId }
    const whole = (version: number) =>
      api.call('GET /api/policies/{policyId}/versions/{version}', { path: { policyId, version } })
    const [before, after, compared] = await Promise.all([
      whole(from),
      whole(until),
      api.call('GET /api/policies/{policyId}/versions/compare', { path, query: { from, to: until } }),
    ])
    return { before: before.snapshot as Definition, after: after.snapshot as Definition, diff: compared.diff }
  }, [policyId, from, until])
  const headOf = (version: number): string => `Version ${version}${version === current ? ' (current)' : ''}`
  return (
    <section class="card diff" aria-label={`Version ${from} compared with version ${until}`}>
      <header class="section-head">
        <h2>
          Version {from} compared with version {until}
        </h2>
        <a href={to('policies', policyId, { part: 'versions' })}>Close</a>
      </header>
      <When of={read}>
        {({ before, after, diff }) => {
          const changed = new Set<string>(diff.fields.map(({ field }) => field))
          if (changed.size + diff.rulesAdded.length + diff.rulesRemoved.length === 0) return <p>No differences.</p>
          const gone = rulesIn(before, diff.rulesRemoved)
          const came = rulesIn(after, diff.rulesAdded)
          return (
            <div class="sides">
              <Side title={headOf(from)} of={before} changed={changed} mark="gone" marked={gone} others={came} />
              <Side title={headOf(until)} of={after} changed={changed} mark="came" marked={came} others={gone} />
            </div>
          )
        }}
      </When>
    </section>
  )
}

const rulesIn = ({ rules }: Definition, some: readonly { id: string }[]): Rule[] =>
  rules.filter((rule) => some.some(({ id }) => id === rule.id))

interface SideProps {
  title: string
  of: Definition
  changed: ReadonlySet<string>
  mark: Change
  /** The rules that only this side has. */
  marked: readonly Rule[]
  /** Those that only the other side has. */
  others: readonly Rule[]
}

function Side({ title, of, changed, mark, marked, others }: SideProps) {
  return (
    <div class="diff-side">
      <h3>{title}</h3>
      {changed.size > 0 && (
        <dl class="facts">
          {FIELDS.filter((field) => changed.has(field)).map((field) => (
            <div key={field} class={mark}>
              <dt>{LABELS[field] ?? fieldLabel(field)}</dt>
              <dd>
                <FieldValue field={field} of={of[field]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <RuleList
        lines={of.rules.map((rule) => (marked.includes(rule) ? markedRule(rule, mark, marked, others) : { rule }))}
      />
      {of.rules.length === 0 && <p class="hint">No rules</p>}
    </div>
  )
}
