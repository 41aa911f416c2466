// A shard joins the others of its installation once it has its first owner: they find what its folder has.
import { Failure } from '../../config/failure.js'
import type { ShardDirectory } from '../../store/journal/postgres/directory.js'
import type { Replica } from '../../store/journal/replica.js'
import type { Installation } from './installation.js'
import { namesOf, type HashKey } from './names.js'

/** Names that one statement writes. */
const AT_ONCE = 1_000

interface Joining {
  installation: Installation
  directory: ShardDirectory
  replica: Replica
  dataDir: string
  shard: string
}

/**
 * Resolves to how the installation hashes keys. Throws Failure where the folder has what another shard has already.
 */
export async function joined({ installation, directory, replica, dataDir, shard }: Joining): Promise<HashKey> {
  const hashKey = await installation.share(dataDir)
  const joins = `joined ${replica.place.shared!.journal}`
  if ((await directory.holder(joins)) !== undefined) return hashKey
  for (const keys of batches(keysOfOrganizations(replica))) {
    const [taken] = await directory.claimAll(keys, shard)
    if (taken !== undefined) {
      throw new Failure('An address of a wallet of this folder is proved by an organization of another shard')
    }
  }
  for (const names of batches(namesOf(replica, hashKey))) await directory.add(names)
  await directory.claim(joins, shard)
  return hashKey
}

/** The unique keys that an organization has forever: their owner is none of its actors. */
function* keysOfOrganizations(replica: Replica): Generator<string> {
  for (const { key, value } of replica.rows('uniqueKeys')) {
    if (!(value as { owner: string }).owner.includes('/')) yield key
  }
}

function* batches(names: Iterable<string>): Generator<string[]> {
  let batch: string[] = []
  for (const name of names) {
    batch.push(name)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
