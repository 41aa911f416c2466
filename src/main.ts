#!/usr/bin/env node
// Starts the service from the environment, reports its address, and stops it on SIGTERM or SIGINT; or runs a command.
import { runCommand } from './cli/bursar.js'
import { Failure } from './config/failure.js'
import { UsageError } from './cli/terminal/command.js'
import { jsonText } from './cli/terminal/show.js'
import { terminal } from './cli/terminal/terminal.js'
import { readConfig, warningsOf, type Config } from './config/config.js'
import { ConfigError } from './config/failure.js'
import { systemMessage } from './store/folder/systemErrors.js'
import type { Log } from './domain/values/log.js'
import type { Running } from './service/service.js'

/** How long a failed service answers 503, for load balancers to notice, before it ends. */
const LINGER_MS = 1_000

/** The stacks of an error and of its causes. */
function stackOf({ stack, message, cause }: Error): string {
  return `${stack ?? message}${cause instanceof Error ? `\ncaused by ${stackOf(cause)}` : ''}`
}

function log(event: string, fields: { [name: string]: unknown }): void {
  const error = fields['error']
  const shown = error instanceof Error ? { ...fields, error: stackOf(error) } : fields
  process.stderr.write(`${jsonText({ at: new Date().toISOString(), event, ...shown })}\n`)
}

/** One write, so that a reader of the line about readiness has the whole greeting. */
function greet({ url, listening, dataDir, isChecked, firstKey, ownerLink }: Running, config: Config): void {
  const lines = warningsOf(config, url).map((warning) => `Warning: ${warning}`)
  lines.push(`Bursar is ready at ${url}`)
  if (listening !== url) lines.push(`  listening at      ${listening}`)
  lines.push(`  data folder       ${dataDir}`)
  if (!isChecked) lines.push('  checked           a sample of its records: bursar backup checks them all')
  if (config.settlement.settlementMode === 'live') lines.push('  settlement        live: payments move funds')
  if (ownerLink !== undefined) lines.push(`  owner set-up link ${ownerLink}`)
  if (firstKey !== undefined) lines.push(`  organization key  ${firstKey}`)
  if (firstKey !== undefined || ownerLink !== undefined) lines.push('  (shown this once: keep it safe)')
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function serve(): Promise<void> {
  let failing = false
  const fail = (event: string, error: unknown): void => {
    if (failing) return
    failing = true
    log(event, { error })
    // Not by process.exit, which waits for writes that may never end, and runs code on memory that LMDB may have damaged.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LINGER_MS)
  }
  process.on('unhandledRejection', (reason) => fail('a rejection was not handled: ending', reason))
  const onFailure = (error: Error): void => {
    if (error instanceof Failure) exitWith(error)
    else fail('the service failed: ending', error)
  }
  const config = readConfig(process.env)
  const starting = started(config, { log, onFailure })
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    starting
      .then((running) => running.stop())
      .then(
        () => process.exit(failing ? 1 : 0),
        (error: unknown) => {
          log('the stop failed', { error })
          process.exit(1)
        },
      )
  }
  // Before the greeting: its readers may stop the service at once.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  await starting
}

interface Failures {
  log: Log
  onFailure: (error: Error) => void
}

/** Loaded for serving alone: it takes a second, and commands do without it. */
async function started(config: Config, failures: Failures): Promise<{ stop(): Promise<void> }> {
  if (config.node) {
    const { startNode } = await import('./nodes/node.js')
    const onOwner = (running: Running): void => greet(running, config)
    const node = await startNode(config, config.node, { ...failures, onOwner })
    process.stdout.write(`Bursar follows shard ${node.shard} at ${node.url}\n`)
    return node
  }
  const { startService } = await import('./service/service.js')
  const running = await startService(config, failures)
  greet(running, config)
  return running
}

const isServing = (argv: readonly string[]): boolean => argv.length === 0 || (argv.length === 1 && argv[0] === 'serve')

async function main(argv: readonly string[]): Promise<void> {
  // Files are for this user alone, also in a folder open to others.
  process.umask(0o077)
  if (isServing(argv)) return serve()
  process.exitCode = await runCommand(
    argv,
    terminal(process, () => readConfig(process.env).dataDir),
  )
}

function exitWith(error: unknown): never {
  const said = systemMessage(error)
  if (error instanceof ConfigError || error instanceof Failure) process.stderr.write(`${error.message}\n`)
  else if (error instanceof UsageError) process.stderr.write(`${error.message}\nbursar help lists all commands\n`)
  else if (said !== undefined) process.stderr.write(`${said}\n`)
  else if (isServing(process.argv.slice(2))) log('the start failed', { error })
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
}

main(process.argv.slice(2)).catch(exitWith)
