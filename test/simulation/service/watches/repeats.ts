// Idempotency keys: the first answer again, byte for byte, and nothing done a second time.
import { demand } from '../../violated.js'
import type { Call, Exchange, Told, Watch } from '../world.js'

interface First {
  body: string
  told: Told
}

/** Shown by the first answer alone. */
const SECRETS = ['key', 'secret', 'setupUrl', 'webhookSecret', 'approvalToken', 'expiresAt', 'outstanding']

export class Repeats implements Watch {
  readonly #first = new Map<string, First>()
  /** Answers that came before those that they repeat. */
  readonly #early = new Map<string, First[]>()

  answered({ call, told }: Exchange): void {
    if (call.idempotencyKey === undefined || told.status >= 500) return
    const name = nameOf(call)
    const body = JSON.stringify(call.body ?? {})
    const first = this.#first.get(name)
    if (!first && told.status < 300) return this.#begin(name, { body, told })
    if (!first || told.status === 401 || told.status === 403) return
    if (first.body === body) return this.#same(call, first, told)
    const isRefused = told.status === 409 || (told.status === 400 && !told.isReplay)
    demand('repeats', isRefused, () => `${call.path} with another body was answered ${told.status} ${told.text}`)
  }

  #begin(name: string, first: First): void {
    const early = this.#early.get(name) ?? []
    if (first.told.isReplay) return void this.#early.set(name, [...early, first])
    this.#first.set(name, first)
    for (const one of early) demand('repeats', shown(one.told) === shown(first.told), () => `${name}: ${one.told.text}`)
  }

  #same(call: Call, first: First, told: Told): void {
    const what = (): string => `${call.path} was answered ${first.told.text}, then ${told.status} ${told.text}`
    demand('repeats', told.isReplay && told.status === first.told.status, what)
    demand('repeats', shown(told) === shown(first.told), what)
  }
}

function nameOf({ by, path, idempotencyKey }: Call): string {
  return `${by?.agent?.id ?? by?.id} ${path} ${idempotencyKey}`
}

function shown({ text, body }: Told): string {
  const isWhole = !SECRETS.some((field) => field in body)
  return isWhole ? text : JSON.stringify(body, (field, value: unknown) => (SECRETS.includes(field) ? undefined : value))
}
