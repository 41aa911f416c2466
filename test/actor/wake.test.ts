// Waking due actors: those that cannot be woken do not hold up the others.
import test from 'ava'
import { Unavailable, type ActorHost } from '../../src/actor/host.js'
import { wakeAllDue } from '../../src/actor/wake.js'
import type { Ref } from '../../src/domain/gate.js'

/** Actors that are due until they are woken; those of `broken` cannot be. */
function waiting(total: number, broken: (index: number) => boolean, Failure: new (ref: string) => Error = Error) {
  const left = new Set(Array.from({ length: total }, (_, index): Ref => `agent/c${index}`))
  const asked: Ref[] = []
  const send = (ref: Ref): void => {
    asked.push(ref)
    if (broken(Number(ref.slice('agent/c'.length)))) throw new Failure(ref)
    left.delete(ref)
  }
  const attempt = () => ({ send, commit: async () => {} })
  const host = { peek: () => undefined, attempt } as unknown as ActorHost
  return { left, asked, ports: { host, due: (_: number, limit: number) => [...left].slice(0, limit), now: () => 0 } }
}

test('all due actors are woken, however many before them cannot be', async (t) => {
  for (const count of [0, 199, 200, 201, 450]) {
    const { left, asked, ports } = waiting(1_000, (index) => index < count)
    const failures = await wakeAllDue(ports)
    t.is(left.size, count)
    t.is(failures.length, count)
    t.is(asked.length, 1_000)
  }
})

test('a host that takes nothing any more is not asked again and again', async (t) => {
  const { asked, ports } = waiting(1_000, () => true, Unavailable)
  t.is((await wakeAllDue(ports)).length, 200)
  t.is(asked.length, 200)
})

test('nothing more is woken once it is stopped', async (t) => {
  const { asked, ports } = waiting(1_000, () => false)
  await wakeAllDue(ports, () => true)
  t.is(asked.length, 200)
})
