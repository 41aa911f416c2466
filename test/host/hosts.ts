// The hosts that must behave alike. A new host is a new line in HOSTS.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '../../machines/index.js'
import type { ActorHost } from '../../src/actor/host.js'
import type { Entry, Ref } from '../../src/domain/gate.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { SimulatedHost } from '../../src/host/simulated.js'
import { Random } from '../../src/host/simulated/random.js'
import { NO_FAULTS, type FaultRates } from '../../src/host/simulated/faultRates.js'
import { Store } from '../../src/store/store.js'

export interface TestedHost {
  host: ActorHost
  /** A gate's committed row. */
  entry: (gate: Ref, holder: string) => Entry | undefined
  close: () => Promise<void>
}

/** Everything that a client would not notice: its commands arrive once, and nothing crashes. */
const STORM: FaultRates = {
  ...NO_FAULTS,
  reorders: true,
  delay: 0.1,
  lose: 0.1,
  duplicate: 0.2,
  askAgain: 0.05,
  fireTimer: 0.05,
  fireEarly: 0.02,
}

/** Commands that are sent in one turn of the event loop are under way together. */
async function simulated(faultRates: FaultRates): Promise<TestedHost> {
  const simulation = new SimulatedHost(charts, new Random(1), () => faultRates)
  const host: ActorHost = {
    read: (refs) => simulation.read(refs),
    peek: (ref) => simulation.peek(ref),
    ask: async (to, message, options) => {
      const reply = simulation.ask(to, message, options)
      await Promise.resolve()
      simulation.settle()
      return reply
    },
    askWhile: async (to, message, options, stillValid) => {
      const reply = simulation.askWhile(to, message, options, stillValid)
      await Promise.resolve()
      simulation.settle()
      return reply
    },
  }
  return { host, entry: (gate, holder) => simulation.entry(gate, holder), close: async () => {} }
}

/** So few that most actors are read back from disk. */
const HOT_ACTORS = 4

async function embedded(): Promise<TestedHost> {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-conformance-'))
  let made = 0
  const store = new Store(() => `c${String((made += 1)).padStart(24, '0')}`)
  store.open(folder)
  return {
    host: new EmbeddedHost(charts, store, { hotActors: HOT_ACTORS }),
    entry: (gate, holder) => store.heldBy(holder)?.find((held) => held.gate === gate)?.entry,
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const HOSTS: { name: string; make: () => Promise<TestedHost> }[] = [
  { name: 'simulated, calm', make: () => simulated(NO_FAULTS) },
  { name: 'simulated, in a storm', make: () => simulated(STORM) },
  { name: 'embedded', make: embedded },
]
