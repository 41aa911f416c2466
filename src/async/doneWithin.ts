// Waits for a result no longer than so many milliseconds; the work goes on.

/** Undefined where it takes longer; a later rejection is the caller's to handle. */
export async function doneWithin<Done>(ms: number, work: Promise<Done>): Promise<Done | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)))
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
