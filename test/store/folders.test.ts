// Stored folders of this version and of all earlier ones: each starts, every actor of it is read through the interface,
// and after the migration its records agree with each other.
import test, { type ExecutionContext } from 'ava'
import { charts } from '../../machines/index.js'
import { kindOf } from '../../src/actor/actor.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { startMigration } from '../../src/host/migration.js'
import { bringUp } from '../../src/store/migration/bringUp.js'
import type { StoredActor } from '../../src/store/records/actors.js'
import type { StoredPayment } from '../../src/store/records/paymentForm.js'
import type { Store } from '../../src/store/store.js'
import { defaultsBySteps, presentForms } from './folders/forms.js'
import { recordedIn, recordedNames, unpack } from './folders/recorded.js'
import { inspect, rowsIn } from '../support/integrity.js'
import { withStore } from '../support/openStore.js'
import { newFolder, ORGANIZATION_KEY } from '../support/process.js'
import { start } from '../support/service.js'

const names = recordedNames()
const REMEDY = 'raise the version of a chart whose form differs, give it a step, then run npm run stored-folder'

/** Objects as they are read back from JSON. */
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

test('the last stored folder has the forms of this version', (t) => {
  t.deepEqual(plain(presentForms()), recordedIn(names.at(-1)!).forms, REMEDY)
})

for (const name of names) {
  const { at, actors, forms } = recordedIn(name)

  test(`folder ${name}: a chart of the same version has the same form, and the steps know the defaults of the others`, (t) => {
    const present = plain(presentForms()).charts
    for (const [kind, form] of Object.entries(forms.charts)) {
      t.true(form.version <= present[kind]!.version, kind)
      if (form.version === present[kind]!.version) t.deepEqual(present[kind], form, `${kind}: ${REMEDY}`)
      else t.deepEqual(plain(defaultsBySteps(kind, form.version)), form.defaults, kind)
    }
  })

  test(`folder ${name}: every actor is read through the interface`, async (t) => {
    const folder = newFolder(t)
    unpack(name, folder)
    await bringUp(folder)
    const refs = await refsIn(folder)
    const service = await start(t, { folder, at })
    for (const ref of refs) {
      const { status, body } = await service.client.get<Shown>(pathOf(ref), ORGANIZATION_KEY)
      t.is(status, 200, `${ref}: ${JSON.stringify(body)}`)
    }
    await service.stop()
    t.deepEqual(service.logged, [])
    t.deepEqual(countedByKind(refs), actors)
  })

  test(`folder ${name}: all actors can be rewritten, and its records agree`, async (t) => {
    const folder = newFolder(t)
    unpack(name, folder)
    await bringUp(folder)
    const before = (await inspect(folder)).actors
    await withStore(folder, async (store) => {
      const onError = (error: unknown): void => t.fail(String(error))
      await startMigration({ rewriting: store.rewriting, flushed: () => store.flushed(), onError }).done
      t.deepEqual(store.rewriting.kinds, [])
      checkVersions(t, store)
    })
    const after = await inspect(folder)
    t.deepEqual(after.problems, [])
    t.deepEqual(after.actors, before)
  })
}

interface Shown {
  state: string
}

const pathOf = (ref: Ref): string => `/api/machines/${ref.replace('/', '/actors/')}`

async function refsIn(folder: string): Promise<Ref[]> {
  return [...(await inspect(folder)).actors.keys()]
}

function countedByKind(refs: readonly Ref[]): { [kind: string]: number } {
  const counts: { [kind: string]: number } = {}
  for (const ref of refs) counts[kindOf(ref)] = (counts[kindOf(ref)] ?? 0) + 1
  return counts
}

function checkVersions(t: ExecutionContext, store: Store): void {
  const versions = new Map<string, number>(Object.entries(charts).map(([kind, { version }]) => [kind, version]))
  for (const [ref, { version }] of rowsIn<StoredActor>(store, 'actors')) {
    t.is(version, versions.get(kindOf(ref as Ref))!, ref)
  }
  for (const [key, { version }] of rowsIn<StoredPayment>(store, 'payments')) t.is(version, charts.payment.version, key)
}
