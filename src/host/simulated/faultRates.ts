// The faults of the simulated network. Every field is a probability per step, 0 to 1, unless it says otherwise.

export interface FaultRates {
  /** Any message in flight may come next; when false, the one that was sent first. */
  reorders: boolean
  /** A message is delayed by up to 200 deliveries. */
  delay: number
  /** An ask or answer is lost on its way. */
  lose: number
  /** An ask or answer arrives and arrives again. */
  duplicate: number
  /** A client's command, or the answer to it, is lost. */
  loseCommand: number
  /** A client's command arrives and arrives again. */
  duplicateCommand: number
  /** An actor asks again although nothing was lost. */
  askAgain: number
  /** A timer that is due fires; until then it is late. */
  fireTimer: number
  /** A timer fires whose state is over, or whose time has not come. */
  fireEarly: number
  /** Everything in flight is lost; only committed state stays. */
  crash: number
  /** Maximum advance of time in a step, ms. */
  tickMs: number
}

/** No faults, and everything in order; time advances only with commands. */
export const NO_FAULTS: FaultRates = {
  reorders: false,
  delay: 0,
  lose: 0,
  duplicate: 0,
  loseCommand: 0,
  duplicateCommand: 0,
  askAgain: 0,
  fireTimer: 0,
  fireEarly: 0,
  crash: 0,
  tickMs: 0,
}
