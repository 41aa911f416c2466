// Imports agents in bulk, each entry by itself, so that a bad one does not stop the rest.
import type { Actor } from '../actor/actor.js'
import type { Code } from '../domain/codes.js'
import type { AgentType } from '../domain/agent.js'
import type { Refused } from '../domain/refusal.js'
import { createAgent } from './agents.js'
import { agentContext } from './contexts.js'
import { oneByOne } from '../actor/oneByOne.js'
import type { Caller, Services } from './ports.js'

export interface ImportedAgent {
  name: string
  agentType: AgentType
  description?: string | undefined
  /** EIP-55. */
  publicKey: string
  externalId?: string | undefined
}

/** A checked entry, or what is wrong with it. */
export type ImportEntry = { ok: true; agent: ImportedAgent } | (Refused & { publicKey: string })

export interface ImportResult {
  imported: number
  skipped: number
  errors: { index: number; publicKey: string; error: string; code: Code }[]
  agents: { id: string; name: string }[]
}

/** True when an agent of the organization has this public key, ignoring case. */
function isRegistered(services: Services, { principal }: Caller, publicKey: string): boolean {
  const list = `agents-by-public-key/${principal.organization}/${publicKey.toLowerCase()}`
  return services.query.refs(list).length > 0
}

/** Serializes imports by organization: two at once could both make the same agent. */
const inTurn = oneByOne()

export function importAgents(
  services: Services,
  caller: Caller,
  entries: readonly ImportEntry[],
  skipExisting: boolean,
): Promise<ImportResult> {
  return inTurn(caller.principal.organization, () => importEach(services, caller, entries, skipExisting))
}

async function importEach(
  services: Services,
  { record: _record, ...caller }: Caller,
  entries: readonly ImportEntry[],
  skipExisting: boolean,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, skipped: 0, errors: [], agents: [] }
  for (const [index, entry] of entries.entries()) {
    const fail = (publicKey: string, code: Code, error: string) => result.errors.push({ index, publicKey, error, code })
    if (!entry.ok) {
      fail(entry.publicKey, entry.refusal.code, entry.refusal.message)
      continue
    }
    const { publicKey } = entry.agent
    if (isRegistered(services, caller, publicKey)) {
      if (skipExisting) result.skipped += 1
      else fail(publicKey, 'ALREADY_EXISTS', 'An agent with this public key exists already')
      continue
    }
    const made = await createAgent(services, caller, entry.agent)
    if (made.ok) count(result, made.actor)
    else fail(publicKey, made.refusal.code, made.refusal.message)
  }
  return result
}

function count(result: ImportResult, actor: Actor): void {
  const { id, name } = agentContext(actor)
  result.imported += 1
  result.agents.push({ id, name })
}
