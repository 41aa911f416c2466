// Timers as a port: those of the process, or those of who moves time by itself.

/** Ends what was begun. */
export type EndTimer = () => void

export interface Timing {
  /** Runs it every so many ms. */
  every(ms: number, run: () => void): EndTimer
  /** Runs it once, so many ms from now. */
  after(ms: number, run: () => void): EndTimer
}

/** They do not keep the process alive. */
export const processTiming: Timing = {
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}
