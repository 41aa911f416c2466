// The process that has taken a store over, with the folder's fencing number: what its commits are durable with.
import { join } from 'node:path'
import { hexOf } from '../../domain/values/digest.js'
import type { Random } from '../../domain/values/ids.js'
import { Fenced, type Fence, type JournalPlace } from '../folder/fence.js'
import type { Durability } from '../writer.js'
import { FileJournal } from './fileJournal.js'
import { CONFIRMED, journalName } from './files.js'
import type { Journal } from './journal.js'

/** Random bytes of a journal's name: those of two folders are never alike. */
const NAME_BYTES = 4

export interface Owner {
  durability: Durability
  /** Files of the data folder that are there as long as the process has the store. */
  files: readonly string[]
  /** LMDB has all entries, up to this one: the journal is not needed any more. */
  release(sequence: number): Promise<void>
}

/** Takes a store over: whoever had it before commits nothing any more. */
export type TakeOver = (fence: Fence, folder: string, random: Random) => Owner

/** With a journal of its own in the folder. Throws Fenced where one was begun since the replay. */
export const withFileJournal: TakeOver = (fence, folder, random) => {
  const begun: Journal[] = []
  const { journal: name, sequence } = fence.raise((number, place) => {
    if (place.journal !== undefined) throw new Fenced()
    const journal = journalName(number, hexOf(random(NAME_BYTES)))
    begun.push(new FileJournal(folder, journal, place.sequence))
    return { ...place, journal }
  })
  const journal = begun[0]!
  return {
    durability: durabilityOf(fence, {
      journal,
      width: 1,
      sequence,
      placeOf: (last) => ({ journal: name!, sequence: last }),
    }),
    files: [join(name!, CONFIRMED)],
    release: async (last) => {
      await fence.commit({ sequence: last })
      await journal.remove()
    },
  }
}

/** With a journal that other nodes follow; `place` is that of this node's barrier, which the folder has. */
export function withSharedJournal(
  journal: Journal,
  place: Required<Pick<JournalPlace, 'sequence' | 'shared'>>,
  width: number,
): TakeOver {
  return (fence) => {
    fence.raise()
    const placeOf = (sequence: number): JournalPlace => ({ ...place, sequence })
    return {
      durability: durabilityOf(fence, { journal, width, sequence: place.sequence, placeOf }),
      files: [],
      release: () => journal.remove(),
    }
  }
}

interface Held extends Pick<Durability, 'journal' | 'width' | 'sequence'> {
  placeOf: (sequence: number) => JournalPlace
}

function durabilityOf(fence: Fence, { placeOf, ...held }: Held): Durability {
  return {
    ...held,
    store: (last, write) => fence.commit(placeOf(last), write),
    isHeld: () => fence.isHeld,
  }
}
