// The process that has taken a store over: with the folder's fencing number, and with a journal of its own.
import { join } from 'node:path'
import { hexOf } from '../../domain/values/digest.js'
import type { Random } from '../../domain/values/ids.js'
import { Fence, Fenced } from '../folder/fence.js'
import type { Durability } from '../writer.js'
import { FileJournal } from './fileJournal.js'
import { CONFIRMED, journalName } from './files.js'
import type { Journal } from './journal.js'

/** Random bytes of a journal's name: those of two folders are never alike. */
const NAME_BYTES = 4

export class Owner {
  readonly durability: Durability
  /** In the data folder, for as long as the journal is. */
  readonly journalFile: string
  readonly #fence: Fence

  private constructor(fence: Fence, journal: string, durability: Durability) {
    this.#fence = fence
    this.durability = durability
    this.journalFile = join(journal, CONFIRMED)
  }

  /** Whoever had the store before commits nothing any more. Throws Fenced where a journal was begun since the replay. */
  static takeOver(fence: Fence, folder: string, random: Random): Owner {
    const begun: Journal[] = []
    const { journal: name, sequence } = fence.raise((number, place) => {
      if (place.journal !== undefined) throw new Fenced()
      const journal = journalName(number, hexOf(random(NAME_BYTES)))
      begun.push(new FileJournal(folder, journal, place.sequence))
      return { ...place, journal }
    })
    return new Owner(fence, name!, {
      journal: begun[0]!,
      sequence,
      store: (last, write) => fence.commit({ journal: name!, sequence: last }, write),
      isHeld: () => fence.isHeld,
    })
  }

  /** LMDB has all entries, up to this one: the journal goes. */
  async release(sequence: number): Promise<void> {
    await this.#fence.commit({ sequence })
    await this.durability.journal.remove()
  }
}
