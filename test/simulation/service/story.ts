// What happened, a line for each request, with names in place of ids: it is read by people who look for a mistake.
import type { Call, Told } from './world.js'

export const ID = /(?<![a-z0-9])c[a-z0-9]{24}(?![a-z0-9])/g
const NOUNS: [RegExp, string][] = [
  [/\/sdk-keys|\/api-keys/, 'key'],
  [/\/members/, 'member'],
  [/\/wallets$/, 'delegation'],
  [/\/approval-workflows/, 'workflow'],
  [/\/policies/, 'policy'],
  [/\/cards$/, 'card'],
  [/\/counterparties/, 'counterparty'],
  [/\/agents/, 'agent'],
  [/\/(payments|cards|x402)/, 'payment'],
  [/\/organizations/, 'organization'],
]
const MOST = 240

export class Story {
  readonly lines: string[] = []
  /** What is asked now is named, and not told. */
  isQuiet = false
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  tell(call: Call, told: Told, at: number): void {
    const who = call.by?.name ?? 'the operator'
    const asked = call.body ? ` ${JSON.stringify(call.body)}` : ''
    const what = told.body.code ?? told.body.status ?? ''
    const line = `${who}: ${call.method} ${call.path}${asked} -> ${told.status} ${what}`
    this.#name(call, told)
    const again = told.isReplay ? ', the same answer again' : ''
    if (!this.isQuiet) this.note(at, `${line}${again}`)
  }

  note(at: number, text: string): void {
    const time = new Date(at).toISOString().slice(5, 23).replace('T', ' ')
    this.lines.push(this.readable(`${time}  ${text}`).slice(0, MOST))
  }

  readable(text: string): string {
    return text.replace(ID, (id) => this.#names.get(id) ?? id)
  }

  #name({ path }: Call, { text }: Told): void {
    const noun = NOUNS.find(([pattern]) => pattern.test(path))?.[1] ?? 'record'
    for (const [id] of text.matchAll(ID)) {
      if (this.#names.has(id)) continue
      const count = (this.#counts.get(noun) ?? 0) + 1
      this.#counts.set(noun, count)
      this.#names.set(id, `<${noun} ${count}>`)
    }
  }
}
