// The process of the load, as the bench uses it: one burst at a time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Burst, LoadMessage, Measured } from './load.js'

const LOAD = fileURLToPath(new URL('load.js', import.meta.url))

export interface Load {
  burst(burst: Burst): Promise<Measured>
  end(): Promise<void>
}

export function startLoad(): Load {
  const child = fork(LOAD)
  const lost = once(child, 'exit').then((): never => {
    throw new Error('The load ended')
  })
  lost.catch(() => {})
  return {
    burst: async (burst) => {
      const answer = once(child, 'message')
      child.send(burst)
      const [message] = (await Promise.race([answer, lost])) as [LoadMessage]
      if ('error' in message) throw new Error(message.error)
      return message
    },
    end: async () => {
      child.disconnect()
      await lost.catch(() => {})
    },
  }
}
