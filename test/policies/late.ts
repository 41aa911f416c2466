// A host that lets something else happen right before a command reaches it: a race that occurs on a busy service now
// and then occurs each time.
import type { ActorHost } from '../../src/actor/host.js'
import type { Services } from '../../src/commands/ports.js'
import type { Ref } from '../../src/domain/gate.js'

/**
 * The services with a host that runs `meanwhile` once, before the first such command, as in `policy ASSIGN`, or the
 * first reading of such an actor, as in `claim READ`.
 */
export function interrupted(services: Services, command: string, meanwhile: () => Promise<unknown>): Services {
  const { host } = services
  let isDone = false
  const interrupt = async (to: Ref, type: string): Promise<void> => {
    if (isDone || `${to.slice(0, to.indexOf('/'))} ${type}` !== command) return
    isDone = true
    await meanwhile()
  }
  const late: ActorHost = {
    read: async (refs) => {
      for (const ref of refs) await interrupt(ref, 'READ')
      return host.read(refs)
    },
    peek: (ref) => host.peek(ref),
    ask: async (to, message, options) => {
      await interrupt(to, message.type)
      return host.ask(to, message, options)
    },
    askWhile: async (to, message, options, stillValid) => {
      await interrupt(to, message.type)
      return host.askWhile(to, message, options, stillValid)
    },
  }
  return { ...services, host: late }
}
