#!/usr/bin/env node
// Starts the service from the environment, says where it is, and ends it on SIGTERM or SIGINT.
import { ConfigError, readConfig } from './config.js'
import { startService, type Running } from './service.js'

/** How long a failed service still answers 503, for load balancers to see, before it ends. */
const LINGER_MS = 3_000

function log(event: string, fields: { [name: string]: unknown }): void {
  const error = fields['error']
  const shown = error instanceof Error ? { ...fields, error: error.stack ?? error.message } : fields
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...shown })}\n`)
}

function greet({ url, dataDir, firstKey }: Running): void {
  process.stdout.write(`Bursar is ready at ${url}\n  data folder       ${dataDir}\n`)
  if (firstKey === undefined) return
  process.stdout.write(`  organization key  ${firstKey}\n  (shown this once: keep it safe)\n`)
}

async function main(): Promise<void> {
  let failing = false
  const fail = (error: Error): void => {
    if (failing) return
    failing = true
    log('a commit failed, its outcome is unknown: ending', { error })
    setTimeout(() => process.exit(1), LINGER_MS)
  }
  // LMDB reports a failed commit on every write that was part of it, too.
  process.on('unhandledRejection', (reason) => fail(reason instanceof Error ? reason : new Error(String(reason))))
  const running = await startService(readConfig(process.env), { log, onFailure: fail })
  greet(running)
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('the stop failed', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else log('the start failed', { error })
  process.exit(1)
})
