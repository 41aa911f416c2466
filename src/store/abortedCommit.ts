// A commit that LMDB aborts is handed over again (docs/decisions/0074).

/** LMDB's error code for a transaction that was given up, with nothing of it written. */
const BAD_TXN = -30782
const MAX_TRIES = 4

/** Tries a commit until LMDB does not abort it, four times at most. */
export async function retried<Result>(commit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit()
    } catch (error) {
      const cause = await causeOf(error)
      if (tries === MAX_TRIES || (cause as { code?: number }).code !== BAD_TXN) throw cause
    }
  }
}

/**
 * LMDB reports the cause at once, through a second promise, or never. That promise needs a handler: an unhandled
 * rejection would end the process.
 */
function causeOf(error: unknown): Promise<unknown> {
  const reported = (error as { commitError?: Promise<never> }).commitError?.catch((cause: unknown) => cause)
  const unreported = new Promise((resolve) => setImmediate(resolve, error))
  return Promise.race([reported ?? error, unreported])
}
