// Imports agents in bulk, each entry by itself, so that a bad one does not stop the rest.
import { agentsByPublicKey } from '../../../machines/agent.js'
import type { Refused } from '../../domain/outcomes/result.js'
import type { Actor } from '../../actor/actor.js'
import type { Code } from '../../domain/outcomes/codes.js'
import type { AgentType } from '../../domain/parties/agent.js'
import { createAgent } from './agents.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import { importing, type Progress, type RecordResult } from '../importProgress.js'
import type { Caller, Services } from '../ports.js'

export interface ImportedAgent {
  name: string
  agentType: AgentType
  description?: string | undefined
  /** EIP-55. */
  publicKey: string
  externalId?: string | undefined
}

/** A checked entry, or what is wrong with it. */
export type AgentImportEntry = { ok: true; agent: ImportedAgent } | (Refused & { publicKey: string })

export interface AgentImportResult {
  imported: number
  /** Made by an earlier call of the same entries that was interrupted. */
  resumed: number
  skipped: number
  errors: { index: number; publicKey: string; error: string; code: Code }[]
  /** Those imported and resumed, in the order of the entries. */
  agents: { id: string; name: string }[]
}

/** True when an agent of the organization has this public key, ignoring case. */
function isRegistered(services: Services, { principal }: Caller, publicKey: string): boolean {
  const list = agentsByPublicKey(principal.organization, publicKey.toLowerCase())
  return services.query.refs(list).length > 0
}

/** Serializes imports by organization: two at once could both make the same agent. */
const inTurn = keyedMutex()

export function importAgents(
  services: Services,
  caller: Caller,
  entries: readonly AgentImportEntry[],
  skipExisting: boolean,
  recordOf: RecordResult<AgentImportResult> = () => undefined,
): Promise<AgentImportResult> {
  const work = (progress: Progress<'agent'>) => importEach(services, caller, entries, skipExisting, progress)
  return inTurn(caller.principal.organization, () => {
    return importing(services, caller, ['agents', entries, skipExisting], work, recordOf)
  })
}

async function importEach(
  services: Services,
  caller: Caller,
  entries: readonly AgentImportEntry[],
  skipExisting: boolean,
  { madeOf, making }: Progress<'agent'>,
): Promise<AgentImportResult> {
  const result: AgentImportResult = { imported: 0, resumed: 0, skipped: 0, errors: [], agents: [] }
  for (const [index, entry] of entries.entries()) {
    const fail = (publicKey: string, code: Code, error: string) => result.errors.push({ index, publicKey, error, code })
    if (!entry.ok) {
      fail(entry.publicKey, entry.refusal.code, entry.refusal.message)
      continue
    }
    const { publicKey } = entry.agent
    const known = madeOf(index)
    if (known) {
      count(result, 'resumed', known)
      continue
    }
    if (isRegistered(services, caller, publicKey)) {
      if (skipExisting) result.skipped += 1
      else fail(publicKey, 'ALREADY_EXISTS', 'An agent with this public key exists already')
      continue
    }
    const made = await createAgent(services, making(index), entry.agent)
    if (made.ok) count(result, 'imported', made.value)
    else fail(publicKey, made.refusal.code, made.refusal.message)
  }
  return result
}

function count(result: AgentImportResult, as: 'imported' | 'resumed', actor: Actor<'agent'>): void {
  const { id, name } = actor.context
  result[as] += 1
  result.agents.push({ id, name })
}
