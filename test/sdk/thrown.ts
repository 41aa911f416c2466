// The BursarError that a call of the SDK rejects with; throws at any other outcome.
import { BursarError } from '../../sdk/index.js'

export async function thrownBy(call: PromiseLike<unknown>): Promise<BursarError> {
  const error = await Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof BursarError)) throw new Error(`Not a BursarError: ${String(error)}`)
  return error
}
