// What a later version of Bursar stored is refused: this one would lose of it what it does not know.

export class LaterVersion extends Error {
  /** `what` ends with the word before the number found: `agent/c1 has version`. `known` is 0 where there is none. */
  constructor(what: string, found: number, known: number) {
    const read = known === 0 ? 'none' : `up to ${known}`
    super(`${what} ${found}; this version of Bursar reads ${read}: ${REMEDY}`)
  }
}

const REMEDY = 'start the version that wrote it, or restore a backup from before'
