// The pages of a data folder, table by table. Nothing may have the folder open.
import { open } from 'lmdb'

const PAGE_BYTES = 4096

export interface TableSize {
  bytes: number
  rows: number
}

interface Stats {
  treeBranchPageCount: number
  treeLeafPageCount: number
  overflowPages: number
  entryCount: number
}

/** What each table takes of the file, its free space included. */
export async function tableSizes(folder: string): Promise<Map<string, TableSize>> {
  const root = open({ path: folder, maxDbs: 64, readOnly: true, encoding: 'binary' })
  const sizes = new Map<string, TableSize>()
  for (const name of [...root.getKeys({})].map(String)) {
    const stats = root.openDB({ name, encoding: 'binary' }).getStats() as unknown as Stats
    const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages
    sizes.set(name, { bytes: pages * PAGE_BYTES, rows: stats.entryCount })
  }
  await root.close()
  return sizes
}
