// Amounts, times and long names, each shown the same way everywhere.
import { money } from '../format/money.js'
import { dateTime, relative, utc } from '../format/time.js'
import { short } from '../format/words.js'
import { Copy } from './secret.js'

export function Money({ amount, currency }: { amount: number | string; currency?: string }) {
  return <span class="money">{money(amount, currency)}</span>
}

/** In the reader's own zone; the moment in UTC is its title. */
export function Time({ at, as = 'date' }: { at: string; as?: 'date' | 'relative' }) {
  return <time dateTime={at} title={utc(at)}>{as === 'date' ? dateTime(at) : relative(at)}</time>
}

/** An address or a hash: short to look at, whole to copy. */
export function Long({ text, what = 'address' }: { text: string; what?: string }) {
  return (
    <span class="long">
      <code title={text}>{short(text)}</code>
      <Copy text={text} what={what} />
    </span>
  )
}

/** Whoever did something: a name where there is one. */
export function Who({ by }: { by: { type: string; id: string; name?: string } }) {
  return <span title={`${by.type.toLowerCase().replaceAll('_', ' ')} ${by.id}`}>{by.name || short(by.id)}</span>
}
