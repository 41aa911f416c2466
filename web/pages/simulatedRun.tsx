// A run of the simulator, from the file that `npm run simulate -- --seed N --trace FILE` writes: all its actors, and a
// time line in the same view as for an actor of the service. The file stays in the browser.
import { useState } from 'preact/hooks'
import '../inspect/inspect.css'
import { Select } from '../components/form.js'
import { Page } from '../components/page.js'
import { Notice } from '../components/states.js'
import { plural } from '../format/money.js'
import { stepOf, type Step } from '../inspect/steps.js'
import { readTrace, type Trace } from '../inspect/trace.js'
import { Travel } from '../inspect/travel.js'
import { to } from '../router.js'

export default function SimulatedRun() {
  const [trace, setTrace] = useState<Trace>()
  const [problem, setProblem] = useState<string>()
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return
    // The file may be gone or unreadable for the browser.
    const read = readTrace(await file.text().catch(() => ''))
    setTrace(read)
    setProblem(read ? undefined : `${file.name} is no trace of a simulated run`)
  }
  return (
    <Page
      title="A simulated run"
      back={{ href: to('inspect'), label: 'Inspect' }}
      lead="Made by npm run simulate -- --seed N --trace FILE. The file is read here and goes nowhere."
    >
      <div class="field">
        <label for="trace">Trace</label>
        <input
          id="trace"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
        />
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      {trace && <Run key={trace.seed} trace={trace} />}
    </Page>
  )
}

/** Steps by actor, in the order of their first steps. */
function stepsByActor({ steps }: Trace): Map<string, Step[]> {
  const found = new Map<string, Step[]>()
  for (const [place, { at, by = '', turn }] of steps.entries()) {
    if (!turn) continue
    const step = {
      ...stepOf(turn, String(place), at),
      command: { by: `${by}, step ${place} of the run`, basis: 'simulated' as const },
    }
    found.set(turn.ref, [...(found.get(turn.ref) ?? []), step])
  }
  return found
}

const firstPayment = (names: string[]): string | undefined => names.find((name) => name.startsWith('payment/'))

/** A violation is noticed after the turn that caused it. */
function lastMoved({ steps }: Trace): string {
  return steps.findLast(({ turn }) => turn)?.turn?.ref ?? ''
}

function Run({ trace }: { trace: Trace }) {
  const actors = stepsByActor(trace)
  const names = [...actors.keys()]
  const [ref, setRef] = useState(trace.violation ? lastMoved(trace) : (firstPayment(names) ?? names[0] ?? ''))
  const options = names.map((name) => [name, `${name} (${plural(actors.get(name)!.length, 'turn')})`] as const)
  return (
    <>
      {trace.violation ? (
        <Notice tone="danger">
          <strong>
            Seed {trace.seed} breaks {trace.violation.invariant}.
          </strong>{' '}
          {trace.violation.message}
        </Notice>
      ) : (
        <Notice tone="good">
          Seed {trace.seed}: {plural(trace.steps.length, 'step')}, nothing broken.
        </Notice>
      )}
      <Select label="Actor" value={ref} onValue={setRef} options={options} />
      <Travel key={ref} machine={ref.slice(0, ref.indexOf('/'))} steps={actors.get(ref) ?? []} />
    </>
  )
}
