// Lets something else happen right before or after a message of a command: a race that occurs on a busy service now and
// then occurs each time.
import type { Attempt } from '../../src/actor/attempt.js'
import type { Services } from '../../src/commands/ports.js'

/** A message by the kind of its actor and its type, as in `policy ASSIGN`. */
export type Moment = { before: string } | { after: string }

class Stopped extends Error {}

/**
 * Runs a command, and `meanwhile` once: in the last wait before its first such message, so that all that was read is
 * from before, or in the wait for that message's commit. Where that is was found by running the command up to the
 * message, in vain.
 */
export async function interrupted<Result>(
  services: Services,
  moment: Moment,
  meanwhile: () => Promise<unknown>,
  run: (services: Services) => Promise<Result>,
): Promise<Result> {
  const [message, later] = 'before' in moment ? [moment.before, 0] : [moment.after, 1]
  const last = (await waitsBefore(services, message, run)) + later
  if (last === 0) await meanwhile()
  let waits = 0
  const wait = async (): Promise<void> => {
    if ((waits += 1) === last) await meanwhile()
  }
  return run(watched(services, wait, () => {}))
}

/** Runs a command up to its nth such message, as a kill right before it does; the rejection says `killed`. */
export function killedBefore<Result>(
  services: Services,
  message: string,
  run: (services: Services) => Promise<Result>,
  nth = 1,
): Promise<Result> {
  let sends = 0
  const kill = (sent: string): void => {
    if (sent === message && (sends += 1) >= nth) throw new Error('killed')
  }
  return run(watched(services, async () => {}, kill))
}

async function waitsBefore(services: Services, message: string, run: (services: Services) => Promise<unknown>) {
  let waits = 0
  const stop = (sent: string): void => {
    if (sent === message) throw new Stopped()
  }
  const wait = async (): Promise<void> => void (waits += 1)
  await run(watched(services, wait, stop)).then(
    () => Promise.reject(new Error(`The command sends no ${message}`)),
    (error: unknown) => (error instanceof Stopped ? undefined : Promise.reject(error)),
  )
  return waits
}

/** The services with a call of `wait` in each wait for one of them, and of `send` before each message. */
function watched(services: Services, wait: () => Promise<void>, send: (message: string) => void): Services {
  const slow = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, args)
          return result instanceof Promise ? result.then(async (value) => (await wait(), value)) : result
        }
      },
    })
  const attempted = (attempt: Attempt): Attempt => {
    const sending = new Proxy(attempt, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...args: unknown[]) => unknown
        return (...args: unknown[]): unknown => {
          if (name === 'send') send(`${String(args[0]).split('/')[0]} ${(args[1] as { type: string }).type}`)
          return Reflect.apply(member, target, args)
        }
      },
    })
    return slow(sending)
  }
  const host = new Proxy(slow(services.host), {
    get: (target, name) =>
      name === 'attempt'
        ? (...args: Parameters<Services['host']['attempt']>) => {
            const attempt = services.host.attempt(...args)
            return attempt && attempted(attempt)
          }
        : Reflect.get(target, name),
  })
  return { ...slow(services), host, query: slow(services.query), rules: slow(services.rules) }
}
