// Finds the block from which on a chain is looked through: blocks name their own time, which only rises.
import type { ChainNode } from './node.js'

/** The first block of this time (epoch ms) or later; the next one where there is none yet. */
export async function firstBlockSince(node: ChainNode, time: number): Promise<number> {
  const head = Number(await node.head())
  if ((await node.timeAt(head)) < time) return head + 1
  let [before, first] = [-1, head]
  while (first - before > 1) {
    const middle = Math.floor((before + first) / 2)
    if ((await node.timeAt(middle)) < time) before = middle
    else first = middle
  }
  return first
}
