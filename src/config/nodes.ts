// The settings of a node: a journal in PostgreSQL that several nodes share.
import * as v from 'valibot'
import { ConfigError } from './failure.js'
import { mustBe, readOrigin, readSettings, setting, wholeNumber, type Environment } from './env.js'

const POSTGRES = /^postgres(ql)?:$/
const SHARD = /^[a-z\d][a-z\d_-]{0,31}$/

const SETTINGS = {
  /** Not shown when it is refused: it has a password. */
  BURSAR_JOURNAL: v.optional(
    setting('must be like postgres://user:password@host/database, with commas between several servers', readUrls),
  ),
  /** How the others reach this node. */
  BURSAR_NODE_URL: v.optional(setting(mustBe('an http or https address without a path'), readOrigin)),
  BURSAR_SHARD: v.optional(v.pipe(v.string(), v.regex(SHARD, 'must be up to 32 of a-z, 0-9, - and _')), '0'),
  /** An owner that is not heard of for so long has lost the shard. */
  BURSAR_LEASE_MS: v.optional(wholeNumber(500, 600_000), '2000'),
  /** Entries on their way to the journal at once. */
  BURSAR_JOURNAL_WIDTH: v.optional(wholeNumber(1, 16), '2'),
  /** The database may be one machine. */
  BURSAR_JOURNAL_SINGLE: v.optional(v.picklist(['1', '0'], mustBe('1 or 0')), '0'),
}

export const NODE_SETTINGS: readonly string[] = Object.keys(SETTINGS)

export interface JournalSettings {
  /** Of every server of the database. */
  urls: readonly string[]
  shard: string
  leaseMs: number
  width: number
  maySingle: boolean
}

export interface NodeSettings extends JournalSettings {
  /** Undefined for the address at which it listens. */
  nodeUrl: string | undefined
  /** The keystore's key, from which those are made that nodes share: 32 bytes in hex. */
  key: string
}

/** Undefined where the journal is a file. */
export function readJournal(env: Environment): JournalSettings | undefined {
  const read = readSettings(SETTINGS, env)
  const urls = read.BURSAR_JOURNAL
  if (urls === undefined) return undefined
  return {
    urls,
    shard: read.BURSAR_SHARD,
    leaseMs: read.BURSAR_LEASE_MS,
    width: read.BURSAR_JOURNAL_WIDTH,
    maySingle: read.BURSAR_JOURNAL_SINGLE === '1',
  }
}

/** Undefined for a service whose journal is a file. */
export function readNode(env: Environment, keystoreKey: string | undefined): NodeSettings | undefined {
  const journal = readJournal(env)
  if (!journal) return undefined
  if (keystoreKey === undefined) {
    throw new ConfigError('BURSAR_JOURNAL needs BURSAR_KEYSTORE_KEY: it seals what the nodes share')
  }
  return { ...journal, nodeUrl: readSettings(SETTINGS, env).BURSAR_NODE_URL, key: keystoreKey }
}

function readUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',').map((url) => url.trim())
  return urls.every((url) => URL.canParse(url) && POSTGRES.test(new URL(url).protocol)) ? urls : undefined
}
