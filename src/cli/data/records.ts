// Checks the records of a data folder against each other, on a copy, so that the service may run meanwhile: what
// payments hold, what their gates count, when they were made, the unique keys, and the numbers that limits are compared
// with.
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '../../../machines/index.js'
import { idOf, kindOf } from '../../actor/actor.js'
import { HoldCheck } from '../../actor/holdCheck.js'
import { LIMITED } from '../../domain/parties/organizationLimits.js'
import { copyDatabase } from '../../store/backup/copy.js'
import { DATABASE } from '../../store/folder/files.js'
import { rowsIn } from '../../store/recordKeys.js'
import { Store } from '../../store/store.js'
import { failedCheck, passedCheck, warning, type Finding } from './finding.js'

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
  for (const [, { action, resourceId, data }] of store.audit.range({})) {
    if (action === 'wallet.fund') check.fund(`wallet/${resourceId}`, fundedIn(data))
  }
  return [...check.problems(), ...miscounted(store, organizations)]
}

/** Numbers of records that an organization's limits are compared with. */
function miscounted(store: Store, organizations: readonly string[]): string[] {
  const lists = organizations.flatMap((id) => LIMITED.map((name) => `${name}/${id}`))
  return lists.flatMap((list) => {
    const [counted, rows] = [store.counts.get(list) ?? 0, store.lists.countKeys(rowsIn(list))]
    return counted === rows ? [] : [`${list} counts ${counted}, and has ${rows}`]
  })
}

function fundedIn(data: unknown): number {
  const { balance } = data as { balance: { from: number; to: number } }
  return balance.to - balance.from
}

/** The finding about the folder; none where it has no data yet. */
export async function recordFindings(folder: string): Promise<Finding[]> {
  const size = statSync(join(folder, DATABASE), { throwIfNoEntry: false })?.size
  if (size === undefined) return []
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < size) return [warning('records', `there is no room in ${tmpdir()} to check a copy of them`)]
  const copy = mkdtempSync(join(tmpdir(), 'bursar-doctor-'))
  try {
    await copyDatabase(folder, copy)
    return [await findingIn(copy)]
  } catch (error) {
    return [failedCheck('records', (error as Error).message)]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function findingIn(folder: string): Promise<Finding> {
  const store = new Store(() => '')
  store.open(folder)
  const problems = disagreementsIn(store)
  await store.close()
  if (problems.length === 0) return passedCheck('records', 'holds, sums and unique keys agree')
  const more = problems.length > SHOWN ? ` and ${problems.length - SHOWN} more` : ''
  return failedCheck('records', `restore a backup: ${problems.slice(0, SHOWN).join('; ')}${more}`)
}
