// Amounts, times and long names, each shown the same way everywhere.
import { money } from '../format/money.js'
import { dateTime, relative, utc } from '../format/time.js'
import { short } from '../format/words.js'
import { useName, type Principal } from '../names.js'
import { to } from '../router.js'
import { Copy } from './secret.js'

export function Money({ amount, currency }: { amount: number | string; currency?: string }) {
  return <span class="money">{money(amount, currency)}</span>
}

/** In the reader's time zone; the title has the time in UTC. */
export function Time({ at, as = 'date' }: { at: string; as?: 'date' | 'relative' }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {as === 'date' ? dateTime(at) : relative(at)}
    </time>
  )
}

/** An address or a hash: shortened when shown, copied in full. */
export function Long({ text, what = 'address' }: { text: string; what?: string }) {
  return (
    <span class="long">
      <code title={text}>{short(text)}</code>
      <Copy text={text} what={what} />
    </span>
  )
}

const KINDS: { [type: string]: string } = {
  SYSTEM: 'Bursar',
  OPERATOR: 'The operator',
  AGENT_KEY: 'agent key',
  AGENT: 'agent',
  PERSON: 'person',
  ORGANIZATION_KEY: 'key',
}

/** The person or key that did something, by name if there is one. */
export function Who({ by }: { by: Principal }) {
  const name = useName(by)
  const known = Object.hasOwn(KINDS, by.type) ? KINDS[by.type] : undefined
  const kind = known ?? by.type.toLowerCase().replaceAll('_', ' ')
  if (by.type === 'SYSTEM' || by.type === 'OPERATOR') return <>{kind}</>
  return (
    <span title={`${kind} ${by.id}`}>
      {name ?? (
        <>
          {kind} <code>{short(by.id)}</code>
        </>
      )}
    </span>
  )
}

const PAGES: { [type: string]: string } = {
  AGENT: 'agents',
  WALLET: 'wallets',
  POLICY: 'policies',
  COUNTERPARTY: 'counterparties',
}

interface NamedProps extends Principal {
  /** Without a link, where the text around it can be clicked. */
  isText?: boolean
}

/** Anything with a name, by its name; as a link if it has a page. */
export function Named({ type, id, isText = false }: NamedProps) {
  const name = useName({ type, id })
  const page = isText || !Object.hasOwn(PAGES, type) ? undefined : PAGES[type]
  const shown = name ?? <code title={id}>{short(id)}</code>
  return page === undefined ? <>{shown}</> : <a href={to(page, id)}>{shown}</a>
}

export const AgentLink = ({ id }: { id: string }) => <Named type="AGENT" id={id} />
