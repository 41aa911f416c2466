// A commit that LMDB shows and has not synced, because the process was killed in between.
import { join } from 'node:path'
import test from 'ava'
import { nameOf, refOf, withStore } from '../../store/opened.js'
import { losePower, unsynced } from '../../service/powerLoss.js'
import { newFolder, startService } from '../../service/service.js'

test('what a service shows is on disk, also what the process before it did not sync', async (t) => {
  const folder = newFolder(t)
  const file = join(folder, 'data.mdb')
  await (await startService(t, folder)).stop()
  const commit = (): Promise<void> =>
    withStore(folder, (store) => {
      store.lookups.put(nameOf(1), refOf(1))
      return store.flushed()
    })
  await unsynced(file, commit)
  await (await startService(t, folder)).kill()
  losePower(file)
  await withStore(folder, async ({ lookups }) => void t.is(lookups.get(nameOf(1)), refOf(1)))
})
