// What the service says of the key that a client has given to the program: whether it knows it, and what it may do.
import type { Bursar, BursarError } from '../../sdk/index.js'

const TIMEOUT_MS = 5_000

/**
 * Whether the key may execute payments, asked for until the service has answered. Until then it counts as one that may:
 * the service itself refuses what it may not. `onError` hears of the first failure.
 */
export function keyCheck(bursar: Bursar, onError: (error: BursarError) => void): () => Promise<boolean> {
  let asked: Promise<boolean | undefined> | undefined
  let isTold = false
  const ask = async (): Promise<boolean | undefined> => {
    try {
      const { key } = await bursar.setup({ timeout: TIMEOUT_MS })
      return key.scopes.includes('payments:execute')
    } catch (error) {
      asked = undefined
      if (!isTold) onError(error as BursarError)
      isTold = true
      return undefined
    }
  }
  return async () => (await (asked ??= ask())) ?? true
}

/** One line for the person. */
export function refusalLine(url: string, apiKey: string, { status, message }: BursarError): string {
  if (status === 0) return `Bursar is not reachable at ${url}: start the service, or correct BURSAR_URL (${message})`
  if (status === 401 && !apiKey.startsWith('service_agent_')) {
    const kind = apiKey.startsWith('service_') ? 'This is an organization key' : 'This is no key of Bursar'
    return `${kind}: send an agent key (service_agent_…) in BURSAR_AGENT_KEY`
  }
  return `The service at ${url} refuses the key in BURSAR_AGENT_KEY: ${message}`
}
