// The value of a field in readable form: ids as names, limits as money, codes as words; in a list that is compared with
// another, entries that only this list has are marked.
import type { ComponentChildren } from 'preact'
import { money } from '../format/money.js'
import { ACTIONS } from './approvalSummary.js'
import { Named } from './amounts.js'
import { Highlight, type Change } from './highlight.js'
import { AnyValue } from './anyValue.js'

const NAMED: { [field: string]: string } = { agentIds: 'AGENT', approverIds: 'APPROVER' }
const isLimit = (field: string): boolean => field.startsWith('spendLimit') || field === 'amountAtLeast'

const WORDS: { [field: string]: { [code: string]: string } } = {
  scope: { organization: 'all agents', assigned: 'assigned agents and wallets' },
  onTimeout: { DENY: 'deny', ESCALATE: 'escalate to the next workflow' },
  actions: ACTIONS,
}

interface Props {
  field: string
  of: unknown
  /** The list to compare with, and how entries are marked that it lacks. */
  besides?: { list: readonly unknown[]; mark: Change } | undefined
}

export function FieldValue({ field, of, besides }: Props) {
  if (!Array.isArray(of) || of.length === 0) return <One field={field} of={of} />
  return (
    <ul class="items">
      {of.map((one, index) => {
        const mark = besides && !besides.list.includes(one) ? besides.mark : undefined
        return (
          <li key={index} class={mark}>
            {mark && <Highlight mark={mark} />}
            <One field={field} of={one} />
          </li>
        )
      })}
    </ul>
  )
}

function One({ field, of }: { field: string; of: unknown }): ComponentChildren {
  if (isLimit(field)) return of === null ? 'no limit' : money(Number(of))
  const type = NAMED[field]
  if (type !== undefined && typeof of === 'string') return <Named type={type} id={of} />
  const said = typeof of === 'string' ? WORDS[field]?.[of] : undefined
  return said ?? <AnyValue of={of} />
}
