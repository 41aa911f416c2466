// Any value of the service in readable form: lists as lists, objects as names with values, never as JSON.
import type { ComponentChildren } from 'preact'
import { short, words } from '../format/words.js'
import { Named } from './amounts.js'

/** Content of callers in their own units: nothing below these fields is converted. */
export const AS_WRITTEN: ReadonlySet<string> = new Set(['context', 'rules', 'tests'])

export type Fields = { [name: string]: unknown }
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Props<T = unknown> {
  of: T
  /** An agent's own words: as they were written, without names and links, which would vouch for them. */
  isPlain?: boolean
}

export function AnyValue({ of, isPlain = false }: Props) {
  if (of === null || of === undefined || of === '') return <span class="hint">none</span>
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>
  if (Array.isArray(of)) return <ListValue of={of} isPlain={isPlain} />
  if (isFields(of)) return <ObjectValue of={of} isPlain={isPlain} />
  return isPlain ? <span class="value">{String(of)}</span> : <TextValue text={String(of)} />
}

/** Addresses, hashes and ids are shortened, codes become words, timestamps stay as they are. */
function TextValue({ text }: { text: string }) {
  if (/^(0x[0-9a-fA-F]{12,}|[0-9a-f]{32,}|(\w+_)?c[0-9a-z]{24})$/.test(text))
    return <code title={text}>{short(text)}</code>
  if (/^[A-Z]+(_[A-Z]+)+$/.test(text)) return <>{words(text)}</>
  return <span class="value">{text}</span>
}

function ListValue({ of, isPlain = false }: Props<unknown[]>) {
  if (of.length === 0) return <span class="hint">none</span>
  if (of.every((one) => typeof one !== 'object')) {
    return (
      <>
        {of.map((one, index) => (
          <span key={index}>
            {index > 0 && ', '}
            <AnyValue of={one} isPlain={isPlain} />
          </span>
        ))}
      </>
    )
  }
  return (
    <ul class="values">
      {of.map((one, index) => (
        <li key={index}>
          <AnyValue of={one} isPlain={isPlain} />
        </li>
      ))}
    </ul>
  )
}

/** Fields that contain ids, with the kind of object. */
const NAMED: { [field: string]: string } = {
  agentId: 'AGENT',
  walletId: 'WALLET',
  policyId: 'POLICY',
  counterpartyId: 'COUNTERPARTY',
  workflowId: 'WORKFLOW',
  memberId: 'PERSON',
}
const isNamed = (field: string, value: unknown): value is string =>
  Object.hasOwn(NAMED, field) && typeof value === 'string'

type Labelled = readonly [label: string, shown: ComponentChildren]

/** The name of a field and its value, an id by the name that belongs to it. */
export function labelled(field: string, value: unknown, isPlain = false): Labelled {
  if (isPlain || field === 'context') return [fieldLabel(field), <AnyValue of={value} isPlain />]
  if (isNamed(field, value)) return [fieldLabel(field.slice(0, -2)), <Named type={NAMED[field]!} id={value} />]
  return [fieldLabel(field), <AnyValue of={value} />]
}

const isPrincipal = (of: Fields): of is { type: string; id: string } =>
  Object.keys(of).sort().join() === 'id,type' && typeof of['id'] === 'string' && typeof of['type'] === 'string'

function ObjectValue({ of, isPlain = false }: Props<Fields>) {
  const entries = Object.entries(of)
  if (!isPlain && isPrincipal(of)) return <Named {...of} />
  if (entries.length === 0) return <span class="hint">nothing</span>
  return (
    <dl class="object">
      {entries.map(([name, value]) => {
        const [label, shown] = labelled(name, value, isPlain)
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{shown}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** `counterpartyStatus` → `Counterparty status`. */
export function fieldLabel(name: string): string {
  const text = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
