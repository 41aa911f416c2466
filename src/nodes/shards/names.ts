// The names in the directory of an installation: those by which requests are found before anybody knows their caller. What
// is stored of keys, sessions and set-up links is under its own name, which is a hash; e-mail addresses are hashed here.
import { keyNamed } from '../../../machines/key.js'
import { membersByEmail, setUpNamed } from '../../../machines/member.js'
import { sessionNamed } from '../../../machines/session.js'
import { rowsIn } from '../../store/journal/entry.js'
import type { Replica } from '../../store/journal/replica.js'

export type HashKey = (text: string) => string

const BY_EMAIL = firstPart(membersByEmail(''))
/** What the store has of them: by table, below which keys. */
const STORED: ReadonlyMap<string, readonly string[]> = new Map([
  ['lookups', [keyNamed(''), sessionNamed(''), setUpNamed('')].map(firstPart)],
  ['lists', [BY_EMAIL]],
  ['actors', ['organization', 'channel']],
])
const TABLES: ReadonlySet<string> = new Set(STORED.keys())

export interface ChangedNames {
  added: string[]
  /** Nobody has them any more. */
  removed: string[]
}

/** `list` is that of the members with the address. */
export function emailName(hashKey: HashKey, list: string): string {
  return `email/${hashKey(`shards of ${list}`)}`
}

/** Those that an entry of the journal adds and removes. */
export function changedNames(entry: Buffer, hashKey: HashKey): ChangedNames {
  const changed: ChangedNames = { added: [], removed: [] }
  for (const { table, key, value } of rowsIn(entry, TABLES)) {
    if (!isName(table, key)) continue
    if (value !== undefined) changed.added.push(nameOf(key, hashKey))
    // Other members of the shard may have the same address.
    else if (table === 'lookups') changed.removed.push(key)
  }
  return changed
}

/** Those of all that a folder has. */
export function* namesOf(replica: Replica, hashKey: HashKey): Generator<string> {
  for (const [table, prefixes] of STORED) {
    for (const prefix of prefixes) for (const key of replica.keys(table, prefix)) yield nameOf(key, hashKey)
  }
}

function isName(table: string, key: string): boolean {
  return STORED.get(table)!.includes(firstPart(key))
}

/** The key of a list's row begins with the list, which has two parts. */
function nameOf(key: string, hashKey: HashKey): string {
  return firstPart(key) === BY_EMAIL ? emailName(hashKey, key.split('/', 2).join('/')) : key
}

function firstPart(name: string): string {
  return name.slice(0, name.indexOf('/'))
}
