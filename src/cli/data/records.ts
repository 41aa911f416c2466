// Checks the records of a data folder against each other, on a copy, so that the service may run meanwhile: what
// payments hold, what their gates count, when they were made, the unique keys, and the numbers that limits are compared
// with.
import { ORGANIZATIONS } from '../../../machines/organization.js'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '../../../machines/index.js'
import { idOf, kindOf } from '../../actor/actor.js'
import { HoldCheck } from '../../actor/holdCheck.js'
import { databaseBytes, databaseLoss, secretLoss } from '../../config/lostFiles.js'
import { LIMITED } from '../../domain/parties/organizationLimits.js'
import { copyDatabase } from '../../store/backup/copy.js'
import { under } from '../../store/records/keys.js'
import { bringUp } from '../../store/migration/bringUp.js'
import { Store } from '../../store/store.js'
import { failedCheck, passedCheck, warning, type Finding } from './finding.js'
import { noRandom } from '../../domain/values/ids.js'

const SHOWN = 3

/** Everything in an open store that disagrees; nothing may write to it meanwhile. */
export function disagreementsIn(store: Store): string[] {
  const check = new HoldCheck(charts)
  const organizations: string[] = []
  for (const actor of store.everyActor()) {
    check.add(actor)
    if (kindOf(actor.ref) === 'organization') organizations.push(idOf(actor.ref))
  }
  for (const [key, owner] of store.everyKey()) check.key(key, owner)
  for (const gate of store.everyHeld()) check.time(gate)
  for (const [, { action, resourceId, data }] of store.everyEntry()) {
    if (action === 'wallet.fund') check.fund(`wallet/${resourceId}`, fundedIn(data))
  }
  return [...check.problems(), ...miscounted(store, organizations)]
}

/** Payments are counted by their rows: nothing keeps their number. */
const COUNTED = LIMITED.filter((name) => name !== 'payments')

/** Numbers of records that an organization's limits are compared with. */
function miscounted(store: Store, organizations: readonly string[]): string[] {
  const lists = organizations.flatMap((id) => COUNTED.map((name) => `${name}/${id}`))
  return lists.flatMap((list) => {
    const [counted, rows] = [store.lists.sizeOnDisk(list), store.lists.rows.countKeys(under(list))]
    return counted === rows ? [] : [`${list} counts ${counted}, and has ${rows}`]
  })
}

function fundedIn(data: unknown): number {
  const { balance } = data as { balance: { from: number; to: number } }
  return balance.to - balance.from
}

export async function recordFindings(folder: string): Promise<Finding[]> {
  const size = databaseBytes(folder)
  if (size === 0) return [absence(folder)]
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < size) return [warning('records', `there is no room in ${tmpdir()} to check a copy of them`)]
  const copy = mkdtempSync(join(tmpdir(), 'bursar-doctor-'))
  try {
    await copyDatabase(folder, copy)
    await bringUp(copy)
    return await findingsIn(copy, secretLoss(folder))
  } catch (error) {
    return [failedCheck('records', (error as Error).message)]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function absence(folder: string): Finding {
  const loss = databaseLoss(folder)
  if (loss !== undefined) return failedCheck('data folder', loss)
  return warning('data folder', `${folder} has no data: set BURSAR_DATA_DIR to the folder of the service`)
}

/** `lostSecret` matters once there is an organization: the first start makes the secrets last. */
async function findingsIn(folder: string, lostSecret: string | undefined): Promise<Finding[]> {
  const store = new Store(noRandom, charts)
  store.open(folder)
  const found = recordFinding(disagreementsIn(store))
  const isUsed = (store.counts.get(ORGANIZATIONS) ?? 0) > 0
  await store.close()
  return isUsed && lostSecret !== undefined ? [found, failedCheck('data folder', lostSecret)] : [found]
}

function recordFinding(problems: readonly string[]): Finding {
  if (problems.length === 0) return passedCheck('records', 'holds, sums and unique keys agree')
  const more = problems.length > SHOWN ? ` and ${problems.length - SHOWN} more` : ''
  return failedCheck('records', `restore a backup: ${problems.slice(0, SHOWN).join('; ')}${more}`)
}
