// The table of rules, from its own process: V8 of Node 20 crashes when it deoptimizes an inlined call into WebAssembly,
// which is what Cedar is, so such calls are not inlined there.
import { fork } from 'node:child_process'
import { once } from 'node:events'

export async function evaluated(): Promise<string> {
  const child = fork(new URL('process.js', import.meta.url), { execArgv: ['--no-turbo-inline-js-wasm-calls'] })
  const gone = once(child, 'exit')
  const early = gone.then(([code]): never => {
    throw new Error(`The evaluation of rules ended with ${code}`)
  })
  early.catch(() => {})
  const [text] = (await Promise.race([once(child, 'message'), early])) as [string]
  await gone
  return text
}
