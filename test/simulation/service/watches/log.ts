// The audit log of each organization: a chain without gaps, an entry for each change that was answered, by whom it was,
// and states that follow from nothing else.
import { createHash } from 'node:crypto'
import type { AuditEntry } from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { Organization } from '../organization.js'
import type { Exchange, Told, Watch, World } from '../world.js'
import { grouped } from './grouped.js'
import { read, readText } from './reading.js'

const GENESIS = '0'.repeat(64)
/** A session is no part of the log, and what somebody has seen already is not seen again. */
const UNLOGGED = /^\/api\/(session|alerts\/[^/]+\/acknowledge)/
/** Kinds whose states are compared. */
const COMPARED = new Set(['payment', 'agent', 'key', 'member', 'wallet', 'counterparty', 'change', 'workflow', 'alert'])
const MOST = 60

interface Change {
  what: string
  by: string | undefined
}

export class Log implements Watch {
  readonly #world: World
  readonly #changes = new Map<string, Map<string, Change>>()

  constructor(world: World) {
    this.#world = world
  }

  answered({ call, told, isAlone }: Exchange): void {
    const { organization, method, path, by } = call
    if (!isAlone) return
    if (!organization || method === 'GET' || told.status >= 300 || told.isReplay || UNLOGGED.test(path)) return
    if (isShownAgain(organization, told, path)) return
    const known = this.#changes.get(organization.id) ?? new Map<string, Change>()
    known.set(told.requestId, { what: `${method} ${path}`, by: by?.id })
    this.#changes.set(organization.id, known)
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      const entries = await exported(this.#world, organization)
      chained(organization.name, entries)
      this.#complete(organization, entries)
      await this.#explains(organization, entries)
      const { valid } = await read<{ valid: boolean }>(this.#world, organization, '/api/audit-logs/verify')
      demand('log', valid, () => `the log of ${organization.name} does not verify`)
    }
  }

  #complete({ id, name }: Organization, entries: readonly AuditEntry[]): void {
    const byRequest = grouped(entries, ({ requestId }) => requestId)
    for (const [requestId, { what, by }] of this.#changes.get(id) ?? []) {
      const logged = byRequest.get(requestId) ?? []
      const isBy = by === undefined || logged.some(({ actor }) => actor.id === by)
      demand('log', logged.length > 0 && isBy, () => `the log of ${name} has nothing of ${what} by ${by}`)
    }
  }

  async #explains(organization: Organization, entries: readonly AuditEntry[]): Promise<void> {
    const states = new Map<string, string>()
    for (const { resource, resourceId, data, sequence } of entries) {
      const { state } = data as { state?: string | { from: string; to: string } }
      const name = `${resource}/${resourceId}`
      const before = states.get(name)
      const isSequel = typeof state !== 'object' || before === undefined || state.from === before
      demand(
        'log',
        isSequel,
        () => `entry ${sequence} moves ${name} from ${JSON.stringify(state)}, which was ${before}`,
      )
      if (state !== undefined) states.set(name, typeof state === 'string' ? state : state.to)
    }
    const compared = [...states].filter(([name]) => COMPARED.has(name.split('/')[0]!)).slice(-MOST)
    for (const [name, state] of compared) {
      const [machine, actor] = name.split('/') as [string, string]
      const path = `/api/machines/${machine}/actors/${actor}`
      const shown = await read<{ state: string }>(this.#world, organization, path)
      demand('log', shown.state === state, () => `${name} is ${shown.state}, and the log says ${state}`)
    }
  }
}

/**
 * A payment that is as it was: its permit, its signature or its outcome is asked for once more, or it is not paid by
 * what its agent tells.
 */
function isShownAgain({ payments }: Organization, { body }: Told, path: string): boolean {
  const { requestId, status } = body
  const known = payments.find(({ id }) => id === requestId)
  return known !== undefined && (known.status === status || (path.endsWith('/settle') && status !== 'EXECUTED'))
}

/** In the form that the chain covers, the first entry first. */
async function exported(world: World, organization: Organization): Promise<AuditEntry[]> {
  const text = await readText(world, organization, '/api/audit-logs/export')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEntry)
}

/** Each follows from the one before, and is what its hash says. */
function chained(name: string, entries: readonly AuditEntry[]): void {
  let previous = GENESIS
  entries.forEach((entry, at) => {
    const { sequence, previousHash, hash } = entry
    demand('log', sequence === at + 1, () => `the log of ${name} has ${sequence} in place of ${at + 1}`)
    demand('log', previousHash === previous, () => `entry ${sequence} of ${name} does not follow from the one before`)
    demand('log', hashOf(entry) === hash, () => `entry ${sequence} of ${name} has another hash`)
    previous = hash
  })
}

/** As docs/audit.md says it: SHA-256 over the canonical JSON without the hash and the texts. */
function hashOf({ hash: _hash, texts: _texts, ...entry }: AuditEntry): string {
  return createHash('sha256').update(canonical(entry)).digest('hex')
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`
}
