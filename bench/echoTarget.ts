// The echo as a target.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { EchoMessage } from './echo.js'
import { postOf, type Target } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const ECHO = fileURLToPath(new URL('echo.js', import.meta.url))

export async function startEcho(): Promise<Target> {
  const child = fork(ECHO)
  const [listening] = (await once(child, 'message')) as [EchoMessage & { port: number }]
  return {
    name: 'echo',
    port: listening.port,
    requests: [postOf(REQUEST_PATH, WISH, 'nobody')],
    expected: `"amount":${WISH.amount}`,
    cpuMicros: async () => {
      const answer = once(child, 'message')
      child.send('cpu')
      const [{ cpuMicros }] = (await answer) as [EchoMessage & { cpuMicros: number }]
      return cpuMicros
    },
    end: async () => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}
