// Packs what is old of the audit logs of a store, and says all that can be read of one.
import { rootOf } from '../../src/domain/audit/merkle.js'
import { AuditEntries } from '../../src/store/audit/entries.js'
import { AuditLog } from '../../src/store/audit/log.js'
import type { Store } from '../../src/store/store.js'

const FILTER = { action: 'payment.execute', actorId: 'key3' }

export async function packAll({ packing }: Pick<Store, 'packing'>): Promise<void> {
  while ((await packing.next()) !== undefined);
}

/** Everything that a log is read as: export, entries with their sizes, pages, verification, tree. */
export async function readingsOf(store: Store, organization: string) {
  const log = new AuditLog(store)
  const entries = new AuditEntries(store)
  const last = await log.last(organization)
  const tree = await log.tree(organization)
  return {
    lines: await textOf(log.lines(organization)),
    read: Array.from({ length: last + 1 }, (_, at) => entries.read(organization, at + 1)),
    page: await log.page(organization, { filter: {}, limit: 100, offset: Math.max(0, last - 100) }),
    filtered: await log.page(organization, { filter: FILTER, limit: 100, offset: 3 }),
    latest: await log.latest(organization, FILTER, { most: 5, isFirst: () => false }),
    between: await log.between(organization, 0, last),
    verified: await log.verify(organization),
    tree: 'broken' in tree ? tree : { size: tree.size, root: rootOf(tree.size, tree.subtree), hash: tree.hashOf(1) },
  }
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}
