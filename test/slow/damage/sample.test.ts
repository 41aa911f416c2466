// A start samples the records of a large store; a backup reads each of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { probe, type ProbeProgress } from '../../../src/store/check/probe.js'
import { newFolder, startService } from '../../support/process.js'
import { withStore } from '../../support/openStore.js'
import { bursar } from '../../support/commandLine.js'

const MANY = 150_000
const MIDDLE = MANY / 2
const short = (index: number): string => `record/${String(index).padStart(8, '0')}`

/** A store that no start has time to read, with a flipped bit in a record in its middle. */
async function large(folder: string): Promise<void> {
  await withStore(folder, async (store) => {
    for (let index = 0; index < MANY; index += 1) store.lookups.put(short(index), `agent/x${index}x`)
    await store.flushed()
  })
  const file = join(folder, 'data.mdb')
  const bytes = readFileSync(file)
  const at = bytes.indexOf(`agent/x${MIDDLE}x`)
  bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

test.serial('a start reads a sample of a large store and says so; a copy is checked record by record', async (t) => {
  t.timeout(120_000)
  const folder = newFolder(t)
  await large(folder)
  t.false(await probe(folder, 'start'))
  const told: ProbeProgress[] = []
  const message = new RegExp(`is damaged, restore a backup: Record ${short(MIDDLE)} of lookups is not what was written`)
  await t.throwsAsync(
    probe(folder, 'whole', (at) => told.push(at)),
    { message },
  )
  t.deepEqual([...new Set(told.map(({ what }) => what))], ['pages', 'records'])
  for (const { done, total } of told) t.true(done <= total)
  const backup = await bursar(['backup', newFolder(t)], { env: { BURSAR_DATA_DIR: folder } })
  t.is(backup.status, 1)
  t.regex(backup.error, message)
  const service = await startService(t, folder)
  t.regex(service.output().stdout, /a sample of its records: bursar backup checks them all/)
})

test.serial('a small store is read whole at a start, which says nothing of it', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  await service.stop()
  t.true(await probe(folder, 'start'))
  t.notRegex(service.output().stdout, /sample/)
})
