// A host that lets something else happen right before a command reaches it: what the order of requests on a busy
// service makes possible now and then happens each time.
import type { ActorHost } from '../../src/actor/host.js'
import type { Services } from '../../src/commands/ports.js'

/** The services, on which `meanwhile` is done, once, before the first command of this type to an actor of this kind. */
export function interrupted(services: Services, command: string, meanwhile: () => Promise<unknown>): Services {
  const { host } = services
  let isDone = false
  const late: ActorHost = {
    read: (refs) => host.read(refs),
    peek: (refs) => host.peek(refs),
    ask: async (to, message, options) => {
      const isIt = !isDone && `${to.slice(0, to.indexOf('/'))} ${message.type}` === command
      if (isIt) {
        isDone = true
        await meanwhile()
      }
      return host.ask(to, message, options)
    },
  }
  return { ...services, host: late }
}
