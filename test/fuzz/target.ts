// An organization that is fuzzed: who calls in it, and the ids that its answers have named, those of deleted objects too.
import type { Client } from '../support/client.js'
import { newPerson } from '../support/people.js'
import { absentIds, idsFor, populate } from '../support/population.js'
import type { Random } from '../support/random.js'
import type { Ids, Row } from '../support/routes.js'

/** The newest ids of a name, of which most requests take one. */
const NEWEST = 4

interface Keys {
  organization: string
  agent: string
  person: string
}

/** Ids for one request. */
export interface ChosenIds {
  ids: Ids
  /** Those of another organization. */
  foreign: ReadonlySet<string>
}

export class Target {
  readonly #client: Client
  readonly #keys: Keys
  readonly #known = new Map<string, string[]>()
  #renewing: Promise<void> | undefined

  private constructor(client: Client, keys: Keys) {
    this.#client = client
    this.#keys = keys
  }

  /** A new organization with one object of every kind. */
  static async create(client: Client, operatorKey: string): Promise<Target> {
    const { body } = await client.post<{ apiKey: string }>('/api/organizations', operatorKey, { name: 'Fuzzed' })
    const target = new Target(client, { organization: body.apiKey, agent: '', person: '' })
    await target.#populate()
    return target
  }

  keyFor({ key }: Row, operatorKey: string): string {
    return { ...this.#keys, operator: operatorKey, none: '' }[key]
  }

  /** One id for each name, mostly of a new object of its own, and sometimes of another organization's or of nobody's. */
  choose(random: Random, row: Row, other: Target | undefined): ChosenIds {
    const foreign = new Set<string>()
    const ids: Ids = {}
    const absent = absentIds()
    for (const [name, own] of this.#known) {
      const [from, odds] = [random.below(20), { absent: 0, foreign: 1, old: 5 }]
      // What has a number in place of an id is everybody's.
      const others = (other === undefined ? [] : (other.#known.get(name) ?? [])).filter((id) => !own.includes(id))
      if (from === odds.foreign && others.length > 0) {
        const id = random.pick(others)
        ids[name] = id
        foreign.add(id)
      } else if (from === odds.absent && absent[name] !== undefined) ids[name] = absent[name]
      else ids[name] = random.pick(from < odds.old ? own : own.slice(-NEWEST))
    }
    return { ids: idsFor(row, ids), foreign }
  }

  /** Keeps the ids in an answer; `created` is the parameter that takes the `id` in it. */
  note(body: unknown, names: ReadonlySet<string>, created: string | undefined): void {
    if (typeof body !== 'object' || body === null) return
    for (const [name, value] of Object.entries(body)) {
      const as = name === 'id' ? created : name
      if (typeof value === 'string' && as !== undefined && names.has(as)) this.#keep(as, value)
      else if (name !== 'id') this.note(value, names, undefined)
    }
  }

  /** After a key was revoked or a session ended: the same kind of caller again, where the organization still allows one. */
  renew(row: Row): Promise<void> {
    this.#renewing ??= this.#renew(row).finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #renew({ key }: Row): Promise<void> {
    try {
      if (key === 'person') this.#keys.person = (await newPerson(this.#client, 'ADMIN', this.#keys.organization)).cookie
      if (key === 'agent') await this.#populate()
    } catch {
      // Its limits or its workflows are in the way: the next organization has others.
    }
  }

  async #populate(): Promise<void> {
    const { ids, agentKey } = await populate(this.#client, this.#keys.organization)
    this.#keys.agent = agentKey
    for (const [name, id] of Object.entries(ids)) this.#keep(name, id)
    this.#keys.person ||= (await newPerson(this.#client, 'ADMIN', this.#keys.organization)).cookie
  }

  #keep(name: string, id: string): void {
    const known = this.#known.get(name) ?? []
    if (!known.includes(id)) known.push(id)
    this.#known.set(name, known)
  }
}
