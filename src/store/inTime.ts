// The longest that the disk may take for one thing.

/** After an error of the disk LMDB may leave a commit unsettled. */
const MOST_TICKS = 60

/** Rejects after 60 ticks. Counts ticks, not the clock: while the process is suspended, the disk is too. */
export async function inTime(work: Promise<unknown>, tickMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_, reject) => {
    let left = MOST_TICKS
    timer = setInterval(() => {
      left -= 1
      if (left === 0) reject(new Error(`A commit was not settled after ${MOST_TICKS * tickMs} ms`))
    }, tickMs)
  })
  await Promise.race([work, overdue]).finally(() => clearInterval(timer))
}
