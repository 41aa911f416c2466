// What a data folder has lost: every start makes the store before the secrets, so one without the other was not always so.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE } from '../store/folder/files.js'
import { CHECKPOINT_SECRET, KEYHASH_SECRET, WEBHOOKS_SECRET } from './secrets.js'

export const START_SECRETS: readonly string[] = [KEYHASH_SECRET, CHECKPOINT_SECRET, WEBHOOKS_SECRET]

/** Bytes of the database; 0 where there is none. */
export function databaseBytes(folder: string): number {
  return statSync(join(folder, DATABASE), { throwIfNoEntry: false })?.size ?? 0
}

/** The secrets that are missing, by path. */
function missingSecrets(folder: string): string[] {
  return START_SECRETS.map((name) => join(folder, name)).filter((path) => !existsSync(path))
}

/** What is lost, and the way out, where the database is; undefined also for a folder that no start has filled. */
export function databaseLoss(folder: string): string | undefined {
  if (databaseBytes(folder) > 0 || missingSecrets(folder).length === START_SECRETS.length) return undefined
  const database = join(folder, DATABASE)
  return `${database} is ${existsSync(database) ? 'empty' : 'missing'}: restore a backup`
}

/** The same where a secret is, of a store that has data. */
export function secretLoss(folder: string): string | undefined {
  const [first] = missingSecrets(folder)
  return first && `${first} is missing: restore it from a backup`
}
