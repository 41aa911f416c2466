// bursar journal rebuild: writes a folder from the journal, as it was with any entry. It follows the journal from there.
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { SealedFiles } from '../../nodes/sealedFiles.js'
import { DATABASE } from '../../store/folder/files.js'
import { fsyncPath } from '../../store/folder/fsync.js'
import { lockFolder } from '../../store/folder/lock.js'
import { refuseFull } from '../data/backup.js'
import type { Shown } from '../terminal/asking.js'
import type { CommandContext } from '../terminal/command.js'
import type { EndOfRebuild } from './endOfRebuild.js'
import { rebuilt } from './rebuilding.js'
import { nodeSettings, withShard } from './shard.js'

export interface RebuildRequest {
  folder: string
  to: EndOfRebuild
  backup: string | undefined
}

export async function rebuild(context: CommandContext, { to, ...given }: RebuildRequest): Promise<Shown> {
  const { key } = nodeSettings(context)
  const folder = resolve(given.folder)
  const backup = given.backup && resolve(given.backup)
  refuseFull(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return withShard(context, async ({ journal }) => {
    const { journal: name, confirmed } = await journal.lease.row()
    const unlock = await lockFolder(folder)
    try {
      const plan = { journal, name, folder, backup, confirmed, to, progress: context.progress }
      const { sequence, epoch } = await rebuilt(plan, (replica, at) => {
        new SealedFiles(folder, key).writeOut(replica)
        return at
      })
      for (const path of [join(folder, DATABASE), folder]) fsyncPath(path)
      return {
        json: { folder, sequence, epoch, databaseBytes: statSync(join(folder, DATABASE)).size },
        lines: () => [
          `${folder} is as the shard was with entry ${sequence} of epoch ${epoch}`,
          'It contains secrets and wallet keys: keep it safe',
          'A node that starts on it goes on with the journal; to run it alone, detach it with bursar journal detach --force',
        ],
      }
    } finally {
      await unlock()
    }
  })
}
