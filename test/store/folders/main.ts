// npm run stored-folder: fills a service and keeps its data folder in `test/fixtures/folders`, for the tests of all
// later versions. To be run when a stored form has changed.
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '../../../machines/index.js'
import { kindOf } from '../../../src/actor/actor.js'
import { compactCopy, copyDatabase } from '../../../src/store/backup/copy.js'
import { DATABASE } from '../../../src/store/folder/files.js'
import { inspect } from '../../support/integrity.js'
import { start } from '../../support/service.js'
import { fill, fillOutside } from './fill.js'
import { presentForms } from './forms.js'
import { pack } from './recorded.js'

const AT = Date.UTC(2026, 10, 2, 12)

const base = mkdtempSync(join(tmpdir(), 'bursar-folder-'))
const folder = join(base, 'data')
const cleanings: (() => void | Promise<void>)[] = [() => rmSync(base, { recursive: true })]
try {
  const service = await start({ teardown: (clean) => void cleanings.push(clean) }, { at: AT, folder })
  const organization = await fill(service)
  const at = service.now()
  await service.stop()
  await fillOutside(folder, organization, at)
  const actors: { [kind: string]: number } = Object.fromEntries(Object.keys(charts).map((kind) => [kind, 0]))
  const found = await inspect(folder)
  for (const ref of found.actors.keys()) actors[kindOf(ref)]! += 1
  const missing = Object.keys(actors).filter((kind) => actors[kind] === 0)
  if (missing.length > 0) throw new Error(`No actors of ${missing.join()}: test/store/folders/fill.ts makes none`)
  const copy = join(base, 'copy')
  await copyDatabase(folder, copy)
  await compactCopy(copy)
  renameSync(join(copy, DATABASE), join(folder, DATABASE))
  const path = pack(folder, { at, actors, forms: presentForms() })
  process.stdout.write(`${path}: ${found.actors.size} actors\n`)
} finally {
  for (const clean of cleanings.toReversed()) await clean()
}
