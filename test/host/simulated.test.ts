// What only the simulated host does: it loses messages and memory, and continues from what was committed.
import test from 'ava'
import { charts } from '../../machines/index.js'
import { LostError, SimulatedHost } from '../../src/host/simulated.js'
import { Random } from '../../src/host/simulated/random.js'
import { NO_FAULTS, type FaultRates } from '../../src/host/simulated/faultRates.js'
import { execute, NOON, pay, world } from './stage.js'
import { fund, type Letter } from './messages.js'

const MEMORY = { key: 'key', bodyHash: '', status: 200, body: null, expiresAt: null }

class Rig {
  faultRates: FaultRates = NO_FAULTS
  readonly host = new SimulatedHost(charts, new Random(1), () => this.faultRates)

  constructor() {
    for (const letter of world()) this.settled(letter)
  }

  /** Sends it and lets everything come to rest; ignores the reply. */
  settled(letter: Letter): void {
    void this.said(letter)
    this.host.settle()
  }

  said({ to, message }: Letter): ReturnType<SimulatedHost['ask']> {
    return this.host.ask(to, message, { by: { type: 'test', id: 'client' }, remember: () => MEMORY })
  }

  crash(): void {
    this.faultRates = { ...NO_FAULTS, crash: 1 }
    this.host.step()
    this.faultRates = NO_FAULTS
  }

  state(id: string): string | undefined {
    return this.host.actors.get(`payment/${id}`)?.state
  }
}

test('a lost command rejects and does nothing', async (t) => {
  const rig = new Rig()
  rig.faultRates = { ...NO_FAULTS, loseCommand: 1 }
  const asked = rig.said(pay('p', 10))
  rig.host.settle()
  await t.throwsAsync(asked, { instanceOf: LostError })
  t.is(rig.state('p'), undefined)
})

test('a crash loses the command under way and its memory, but the payment that it began continues', async (t) => {
  const rig = new Rig()
  const asked = rig.said(pay('p', 10))
  for (let step = 0; step < 4; step += 1) rig.host.step()
  t.is(rig.state('p'), 'reserving')
  rig.host.memories.clear()
  rig.crash()
  await t.throwsAsync(asked, { instanceOf: LostError })
  rig.host.settle()
  t.is(rig.state('p'), 'approved')
  t.is(rig.host.memories.size, 0)
})

test('after a crash between any two turns of an execution the payment is executed once', (t) => {
  for (let steps = 1; steps <= 9; steps += 1) {
    const rig = new Rig()
    rig.settled(pay('p', 10))
    rig.said(execute('p')).catch(() => {})
    for (let step = 0; step < steps; step += 1) rig.host.step()
    rig.crash()
    rig.host.settle()
    t.is(rig.state('p'), 'executed')
    t.is(rig.host.actors.get('wallet/w')?.context['balance'], 999_990)
  }
})

test('the memory of a command is stored with the turn that brings it to rest', async (t) => {
  const rig = new Rig()
  rig.host.memories.clear()
  const asked = rig.said(pay('p', 10))
  while (rig.state('p') !== 'approved') {
    t.is(rig.host.memories.size, 0)
    rig.host.step()
  }
  t.deepEqual(rig.host.memories.get('key'), MEMORY)
  t.true((await asked).ok)
})

test('a duplicated command is carried out twice and answered once', async (t) => {
  const rig = new Rig()
  rig.faultRates = { ...NO_FAULTS, duplicateCommand: 1 }
  const asked = rig.said(fund(NOON, 'w', 5))
  rig.host.step()
  rig.faultRates = NO_FAULTS
  rig.host.settle()
  t.true((await asked).ok)
  t.is(rig.host.actors.get('wallet/w')?.context['balance'], 1_000_010)
})
