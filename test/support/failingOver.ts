// A client of several nodes, as the SDK is one: what is not answered goes to the next node, with the same idempotency key,
// until somebody answers.
import { setTimeout } from 'node:timers/promises'
import { until } from './chain.js'
import type { Answer, Client } from './client.js'

const PATIENCE_MS = 3_000
const PAUSE_MS = 50
const LONGEST_MS = 60_000

/** Gives no answer of 500 or above to its caller. */
export interface FailingOverClient extends Client {
  /** Nothing is sent or repeated from now on. */
  stop(): void
  /** The longest time without an answer since the last call. */
  takeGap(): number
  /** Resolves when this many more answers have come. */
  answered(count: number): Promise<void>
}

export function newFailingOverClient(urls: () => readonly string[]): FailingOverClient {
  let isStopped = false
  let answeredAt = performance.now()
  let longest = 0
  let answers = 0
  let at = 0
  const once = async <Body>(...asked: Parameters<Client['send']>): Promise<Answer<Body> | undefined> => {
    const all = urls()
    try {
      const answer = await exchanged<Body>(all[at % all.length]!, ...asked)
      if (answer.status < 500) return answer
    } catch {
      // The next node is asked.
    }
    at += 1
    return undefined
  }
  const send: Client['send'] = async <Body>(...asked: Parameters<Client['send']>) => {
    const endsAt = performance.now() + LONGEST_MS
    while (!isStopped && performance.now() < endsAt) {
      const answer = await once<Body>(...asked)
      if (answer === undefined) await setTimeout(PAUSE_MS)
      else {
        longest = Math.max(longest, performance.now() - answeredAt)
        answeredAt = performance.now()
        answers += 1
        return answer
      }
    }
    throw new Error('No node answers')
  }
  return {
    send,
    get: (path, key) => send('GET', path, key),
    post: (path, key, body, headers) => send('POST', path, key, body, headers),
    stop: () => (isStopped = true),
    takeGap: () => {
      const gap = Math.round(longest)
      longest = 0
      return gap
    },
    answered: async (count) => {
      const enough = answers + count
      await until(async () => answers >= enough || undefined, 'nothing is answered', LONGEST_MS)
    },
  }
}

async function exchanged<Body>(
  url: string,
  ...[method, path, key, body, headers = {}]: Parameters<Client['send']>
): Promise<Answer<Body>> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return { status: response.status, headers: {}, body: (await response.json()) as Body }
}
