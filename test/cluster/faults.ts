// What may fail in a cluster of two nodes with a replicated database, one row for each kind: how it is made to fail, and
// how often in the full plan. Each ends with both nodes there and commits that no longer wait.
import { constants } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { ownerOf, type PairedNode } from '../support/nodePair.js'
import type { FailingDatabase } from './failingDatabase.js'

export interface Scene {
  nodes: readonly PairedNode[]
  database: FailingDatabase
}

interface Fault {
  /** In the full plan. */
  times: number
  happens: (scene: Scene) => Promise<void>
  /** What is missing for it; undefined where nothing is. */
  lacks?: (scene: Scene) => string | undefined
}

/** Longer than the lease. */
const PAUSE_MS = 2_500
const SLOW_MS = 40
const CANCELS = 10

const lacksDisk = ({ nodes }: Scene): string | undefined =>
  nodes.every(({ disk }) => disk) ? undefined : 'a C compiler, with which a failing disk is made'

export const FAULTS: { readonly [name: string]: Fault } = {
  'the owner is killed': {
    times: 25,
    happens: async ({ nodes }) => {
      const owner = await ownerOf(nodes)
      await replaced(owner, () => owner.signal('SIGKILL'))
    },
  },
  'the owner is paused for longer than its lease': {
    times: 10,
    happens: async ({ nodes }) => {
      const owner = await ownerOf(nodes)
      await replaced(owner, async () => {
        owner.signal('SIGSTOP')
        await ownerOf(besides(owner, nodes))
        owner.signal('SIGCONT')
      })
    },
  },
  'the owner is stopped': {
    times: 5,
    happens: async ({ nodes }) => {
      const owner = await ownerOf(nodes)
      await replaced(owner, () => owner.signal('SIGTERM'))
    },
  },
  'both nodes are killed': {
    times: 5,
    happens: async ({ nodes }) => {
      await Promise.all(nodes.map((node) => replaced(node, () => node.signal('SIGKILL'))))
    },
  },
  'the primary of the database is killed': {
    times: 5,
    happens: ({ database }) => database.losePrimary(),
  },
  'the old primary comes back beside the new one': {
    times: 3,
    lacks: ({ database }) => (database.twoPrimaries ? undefined : 'a second primary, which Patroni does not leave'),
    happens: ({ database }) => database.twoPrimaries!(PAUSE_MS),
  },
  'waits for the standby are cancelled': {
    times: 3,
    happens: ({ database }) => database.cancelWaits(CANCELS),
  },
  'the owner is cut off from the database': {
    times: 3,
    happens: ({ nodes }) => cutOff(nodes, 'everything'),
  },
  'the owner hears no answers of the database': {
    times: 3,
    happens: ({ nodes }) => cutOff(nodes, 'answers'),
  },
  'the database is slow': {
    times: 3,
    happens: async ({ nodes }) => {
      for (const { proxy } of nodes) proxy.delay(SLOW_MS)
      await setTimeout(PAUSE_MS)
      for (const { proxy } of nodes) proxy.delay(0)
    },
  },
  'the disk of the owner is full': {
    times: 3,
    lacks: lacksDisk,
    happens: async ({ nodes }) => fillDisk(await ownerOf(nodes)),
  },
  'the disk of the standby is full': {
    times: 3,
    lacks: lacksDisk,
    happens: async ({ nodes }) => fillDisk(await standbyOf(nodes)),
  },
  'a standby loses its folder': {
    times: 3,
    happens: async ({ nodes }) => {
      const standby = await standbyOf(nodes)
      await replaced(standby, () => standby.loseFolder())
    },
  },
}

/** Resolves when the process that runs now has ended, and another one follows the journal. */
async function replaced(node: PairedNode, happens: () => void | Promise<void>): Promise<void> {
  const back = node.restarted()
  await happens()
  await back
}

async function standbyOf(nodes: readonly PairedNode[]): Promise<PairedNode> {
  const [standby] = besides(await ownerOf(nodes), nodes)
  return standby!
}

const besides = (one: PairedNode, nodes: readonly PairedNode[]): PairedNode[] => nodes.filter((node) => node !== one)

async function cutOff(nodes: readonly PairedNode[], what: 'everything' | 'answers'): Promise<void> {
  const owner = await ownerOf(nodes)
  await replaced(owner, async () => {
    owner.proxy.cut(what)
    await ownerOf(besides(owner, nodes))
    owner.proxy.mend()
  })
}

/** Writes to the database file fail, until the node has ended for it. */
async function fillDisk(node: PairedNode): Promise<void> {
  await replaced(node, async () => {
    node.disk!.fail('write', constants.errno.ENOSPC, 'data.mdb')
    await node.ended()
    node.disk!.mend()
  })
}
