// The verifier: says what is wrong after the faults, from the journal alone. It rebuilds a folder from it with the command
// that operators have, compares it with those of the nodes, reads it, and starts a service on it that is asked everything
// once more.
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { compareFolders } from '../../src/store/check/compare.js'
import { newClient, type Client } from '../support/client.js'
import { bursar } from '../support/commandLine.js'
import { inspect } from '../support/integrity.js'
import { lost, misexecuted, overspent, wrongCounterparties, wrongSums } from '../support/ledger.js'
import type { Load } from '../support/load.js'
import { broughtUp } from '../support/nodeFolders.js'
import { KEYSTORE_KEY, nodeEnv } from '../support/nodes.js'
import type { FundedAgent } from '../support/payments.js'
import { newFolder, startService, type Scope } from '../support/process.js'

/** An answer that a caller got, with what it had sent. */
export interface Acknowledged {
  path: string
  key: string
  body: unknown
  headers: { [name: string]: string }
  status: number
  /** The body, as JSON. */
  answer: string
}

export interface Findings {
  /** Answers that are not in the journal, or not as they were given. */
  lost: string[]
  /** Payments that were not executed exactly once. */
  double: string[]
  /** Sums that differ from those of the payments, or exceed what they may be. */
  over: string[]
  /** Folders that differ, broken audit chains, and records that contradict each other. */
  broken: string[]
}

interface Subject {
  /** Of the owner and of the standby; nobody uses them any more. */
  folders: readonly [string, string]
  /** Of the database. */
  urls: readonly string[]
  /** Of the nodes, besides those of every node. */
  settings: { [name: string]: string }
  records: Records
}

interface Records {
  acknowledged: readonly Acknowledged[]
  load: Load
  agents: readonly FundedAgent[]
  /** The first funding of each wallet. */
  initial: number
}

const ASKED_AT_ONCE = 16

export async function verified(scope: Scope, { folders, urls, settings, records }: Subject): Promise<Findings> {
  const env = nodeEnv(urls)
  const folder = newFolder(scope)
  await done(['journal', 'rebuild', folder], env)
  // The owner may have written more since the standby was stopped.
  await broughtUp(folders[1], urls)
  const apart = await differing(folders, folder)
  await done(['journal', 'detach', '--force'], { ...env, BURSAR_DATA_DIR: folder })
  const contents = await inspect(folder)
  const { load, agents, initial } = records
  const { again, chains } = await asked(scope, { folder, settings, records })
  return {
    lost: [...lost(contents, load.deeds), ...again],
    double: misexecuted(contents),
    over: [
      ...wrongSums(contents, agents, load.deeds, initial),
      ...wrongCounterparties(contents),
      ...overspent(contents),
    ],
    broken: [...apart, ...contents.problems, ...chains],
  }
}

/** Runs `bursar`, which must succeed. */
async function done(args: string[], env: { [name: string]: string }): Promise<void> {
  const { status, error } = await bursar(args, { env })
  if (status !== 0) throw new Error(`bursar ${args.join(' ')} failed: ${error}`)
}

async function differing(folders: readonly string[], from: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const { difference } = await compareFolders(from, folder, () => {})
    if (difference) found.push(`${folder} differs from ${from}: ${JSON.stringify(difference)}`)
  }
  return found
}

interface Asked {
  /** Calls that are not answered as they were before. */
  again: string[]
  chains: string[]
}

/** A service that has nothing but what was in the journal. */
async function asked(
  scope: Scope,
  { folder, settings, records }: Pick<Subject, 'settings' | 'records'> & { folder: string },
): Promise<Asked> {
  const service = await startService(scope, folder, { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY, ...settings } })
  const keys = new Set(records.agents.map(({ organizationKey }) => organizationKey))
  const chains: string[] = []
  for (const key of keys) chains.push(...(await brokenChain(scope, service.url, key)))
  const again = await differentAnswers(newClient(scope, service.url, ASKED_AT_ONCE), records.acknowledged)
  await service.stop()
  return { again, chains }
}

/** What `bursar audit verify` says against the export of an organization's audit log. */
async function brokenChain(scope: Scope, url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/api/audit-logs/export`, { headers: { Authorization: `Bearer ${key}` } })
  const file = newFolder(scope)
  writeFileSync(file, await response.text())
  const { status, out, error } = await bursar(['audit', 'verify', file])
  return status === 0 ? [] : [`${out}${error}`]
}

/** A repeated call gets the answer that it got before, and changes nothing. */
async function differentAnswers(client: Client, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const found: string[] = []
  const waiting = [...acknowledged]
  const repeat = async (): Promise<void> => {
    for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
      const { path, key, body, headers, status, answer } = call
      const now = await client.post<unknown>(path, key, body, headers)
      const isSame = now.status === status && isDeepStrictEqual(now.body, JSON.parse(answer))
      if (isSame && now.headers['idempotency-replayed'] === 'true') continue
      found.push(`${path} was answered ${status} ${answer}, and is now ${now.status} ${JSON.stringify(now.body)}`)
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, repeat))
  return found
}
