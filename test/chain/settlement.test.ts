// Settlement stays fair while much of its work is stuck: a chain that does not answer, slots that are all taken, more
// payments than are read at once, and records that cannot be read delay no other payment.
import { type Ref } from '../../src/domain/limits/gate.js'
import { charts } from '../../machines/index.js'
import { metaOf } from '../../src/actor/stateMeta.js'
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import type { ChainNode } from '../../src/chain/node.js'
import type { Queue } from '../../src/chain/roundRobin.js'
import { TransferLoop, type TransferLoopParts } from '../../src/chain/transferLoop.js'

const DEAD = '8453'
const ALIVE = '31337'
const NEVER = new Promise<never>(() => {})

/** A payment on a chain; if it is `stuck`, its call never returns, its state never changes, or its record is damaged. */
interface Waiting {
  chain: string
  queue: Queue
  stuck?: 'hangs' | 'waits' | 'damaged' | 'damaged later'
}

const STATES: Record<Queue, string> = { toSend: 'transferring.unknown', toFollow: 'transferred.submitted' }

function actorOf({ chain, queue }: Waiting, index: number): Actor {
  const context = { organization: 'o1', terms: { wallet: { chainId: chain } } }
  return { ref: `payment/${index}`, state: STATES[queue], context } as unknown as Actor
}

/**
 * Resolves when settlement reaches the last of these payments, with the number of calls that hang by then; the node of
 * the dead chain never answers.
 */
async function attended(payments: readonly Waiting[]): Promise<number> {
  const actors = payments.map(actorOf)
  const last = actors.at(-1)!.ref
  const find = (wanted: string, damaged?: Waiting['stuck']) => {
    const index = actors.findIndex(({ ref }) => ref === wanted)
    if (damaged !== undefined && payments[index]!.stuck === damaged) throw new Error('It is damaged')
    return actors[index]
  }
  const peek = (wanted: string) => find(wanted, 'damaged')
  const read = async (refs: readonly string[]) => refs.map((ref) => find(ref, 'damaged later'))
  const page: TransferLoopParts['waiting'] = (queue, limit, after = '-1') => {
    const rows = actors.map((actor, index) => ({ actor, index }))
    const left = rows
      .filter(({ actor, index }) => actor.state === STATES[queue] && index > Number(after))
      .slice(0, limit)
    const next = left.length < limit ? undefined : String(left.at(-1)!.index)
    return { refs: left.map(({ actor }) => actor.ref as Ref<'payment'>), next }
  }
  const node = (head: () => Promise<bigint>) => ({ head }) as unknown as ChainNode
  let settlement: TransferLoop | undefined
  let hanging = 0
  await new Promise<void>((resolve) => {
    const answer = async ({ ref }: Actor): Promise<undefined> => {
      if (ref === last) resolve()
      if (payments[actors.findIndex((actor) => actor.ref === ref)]!.stuck !== 'hangs') return
      hanging += 1
      await NEVER
    }
    const parts = {
      host: { peek, read },
      settler: { answer },
      accounts: { close: () => {} },
      outgoing: { start: () => {}, stop: async () => {} },
      nodes: new Map([
        [DEAD, node(() => NEVER)],
        [ALIVE, node(async () => 1n)],
      ]),
      metaOf: (payment: Actor) => metaOf(charts.payment.machine, payment.state),
      waiting: page,
      now: () => 0,
      elapsed: () => 0,
      log: () => {},
      everyMs: 1,
    } as unknown as TransferLoopParts
    settlement = new TransferLoop(parts)
    settlement.start()
  })
  // Not awaited, because the calls that hang would never end.
  void settlement!.stop()
  return hanging
}

const many = (count: number, waiting: Waiting): Waiting[] => Array.from({ length: count }, () => waiting)

const MAX_ACTIVE = 64

const CASES: [title: string, hanging: number, payments: Waiting[]][] = [
  [
    'another chain whose node hangs',
    0,
    [
      { chain: DEAD, queue: 'toFollow' },
      { chain: ALIVE, queue: 'toFollow' },
    ],
  ],
  [
    'another chain whose slots are all taken',
    MAX_ACTIVE,
    [...many(70, { chain: DEAD, queue: 'toSend', stuck: 'hangs' }), { chain: ALIVE, queue: 'toSend' }],
  ],
  [
    'calls of its own chain that hang',
    MAX_ACTIVE,
    [...many(70, { chain: ALIVE, queue: 'toSend', stuck: 'hangs' }), { chain: ALIVE, queue: 'toFollow' }],
  ],
  [
    'records that cannot be read',
    0,
    [
      { chain: ALIVE, queue: 'toSend', stuck: 'damaged' },
      { chain: ALIVE, queue: 'toSend', stuck: 'damaged later' },
      { chain: ALIVE, queue: 'toSend' },
    ],
  ],
  [
    'more payments than are read at once',
    0,
    [...many(2_500, { chain: ALIVE, queue: 'toSend', stuck: 'waits' }), { chain: ALIVE, queue: 'toSend' }],
  ],
]

for (const [title, hanging, payments] of CASES) {
  test(`A payment is processed despite ${title}`, async (t) => {
    t.timeout(20_000)
    t.is(await attended(payments), hanging)
  })
}
