// Any value of the service in readable form: lists as lists, objects as names with values, never as JSON.
import { short, words } from '../format/words.js'
import { Named } from './amounts.js'

/** Content of callers in their own units: nothing below these fields is converted. */
export const AS_WRITTEN: ReadonlySet<string> = new Set(['context', 'rules', 'tests'])

export type Fields = { [name: string]: unknown }
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function AnyValue({ of }: { of: unknown }) {
  if (of === null || of === undefined || of === '') return <span class="hint">none</span>
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>
  if (Array.isArray(of)) return <ListValue of={of} />
  if (isFields(of)) return <ObjectValue of={of} />
  return <TextValue text={String(of)} />
}

/** Addresses and hashes are shortened, codes become words, timestamps stay as they are. */
function TextValue({ text }: { text: string }) {
  if (/^(0x[0-9a-fA-F]{12,}|[0-9a-f]{32,})$/.test(text)) return <code title={text}>{short(text)}</code>
  if (/^[A-Z]+(_[A-Z]+)+$/.test(text)) return <>{words(text)}</>
  return <span class="value">{text}</span>
}

function ListValue({ of }: { of: unknown[] }) {
  if (of.length === 0) return <span class="hint">none</span>
  if (of.every((one) => typeof one !== 'object')) {
    return (
      <>
        {of.map((one, index) => (
          <span key={index}>
            {index > 0 && ', '}
            <AnyValue of={one} />
          </span>
        ))}
      </>
    )
  }
  return (
    <ul class="values">
      {of.map((one, index) => (
        <li key={index}>
          <AnyValue of={one} />
        </li>
      ))}
    </ul>
  )
}

/** Fields that contain ids, with the kind of object. */
const NAMED: { [field: string]: string } = { agentId: 'AGENT', walletId: 'WALLET', policyId: 'POLICY' }
const isNamed = (field: string, value: unknown): value is string => field in NAMED && typeof value === 'string'

const isPrincipal = (of: Fields): of is { type: string; id: string } =>
  Object.keys(of).sort().join() === 'id,type' && typeof of['id'] === 'string' && typeof of['type'] === 'string'

function ObjectValue({ of }: { of: Fields }) {
  const entries = Object.entries(of)
  if (isPrincipal(of)) return <Named {...of} />
  if (entries.length === 0) return <span class="hint">nothing</span>
  return (
    <dl class="object">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{fieldLabel(isNamed(name, value) ? name.slice(0, -2) : name)}</dt>
          <dd>{isNamed(name, value) ? <Named type={NAMED[name]!} id={value} /> : <AnyValue of={value} />}</dd>
        </div>
      ))}
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
