// Starts the service as users do: in its own process on a temporary folder, reached over HTTP. Every process is ended
// and every folder removed when the test that requested it ends, whatever its result.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestFn } from 'ava'
import { formKey } from '../../src/domain/access/apiKey.js'

/** The part of an ava test that is needed here. */
export interface Scope {
  teardown(clean: () => void | Promise<void>): void
}

export interface Exit {
  code: number | null
  signal: string | null
}

export interface Service {
  url: string
  folder: string
  pid: number
  /** Milliseconds from the spawn to the line that shows the address. */
  startedInMs: number
  /** How the process ended. */
  exited: Promise<Exit>
  /** What it has written so far. */
  output(): { stdout: string; stderr: string }
  /** Sends SIGTERM and waits. */
  stop(): Promise<Exit>
  /** Sends SIGKILL and waits. */
  kill(): Promise<Exit>
}

export interface StartOptions {
  env?: { [name: string]: string }
  /** A shell line in which `"$@"` is the command that starts the service. */
  shell?: string
  /** What it says with its address when it is ready. */
  ready?: RegExp
}

export const ORGANIZATION_KEY = formKey('organization', '0123456789'.repeat(4))

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const PATIENCE_MS = 60_000
const READY = /^Bursar is ready at (\S+)$/m

const alive = new Set<ChildProcess>()
// The runner may end this process before the teardowns of its tests have run.
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')))

/** A new folder for this test; the path that is returned does not exist yet. */
export function newFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'))
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** This process's environment without the settings of a service, and with those that the test needs. */
function environment(folder: string, env: { [name: string]: string }): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(BURSAR_|PORT$|HOST$|NODE_)/.test(name))
  return {
    ...Object.fromEntries(inherited),
    PORT: '0',
    BURSAR_DATA_DIR: folder,
    BURSAR_BOOTSTRAP_ORG_KEY: ORGANIZATION_KEY,
    BURSAR_RATE_LIMITS: 'off',
    ...env,
  }
}

/** Settings that make the service's clock show about `at` (epoch ms) now. */
export function clockAt(at: number): { [name: string]: string } {
  return { NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: String(at - Date.now()) }
}

interface Launched {
  child: ChildProcess
  exited: Promise<Exit>
  output: Service['output']
}

function launch(scope: Scope, folder: string, { env = {}, shell }: StartOptions): Launched {
  const command = [process.execPath, MAIN]
  const [file, ...args] = shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command]
  const child = spawn(file!, args, { env: environment(folder, env), stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
  alive.add(child)
  const exited = once(child, 'close').then(([code, signal]) => {
    alive.delete(child)
    return { code, signal } as Exit
  })
  scope.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited, output: () => written }
}

/** Starts the process and waits for it to end; after `patienceMs` it is killed. */
export async function runToEnd(
  scope: Scope,
  folder: string,
  options: StartOptions = {},
  patienceMs = PATIENCE_MS,
): Promise<Exit & Ended> {
  const { child, exited, output } = launch(scope, folder, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const exit = await exited
  clearTimeout(timer)
  return { ...exit, ...output() }
}

export interface Ended {
  stdout: string
  stderr: string
}

/** The service ended before it was ready. */
export class NotStarted extends Error {
  constructor(readonly exit: Exit & Ended) {
    super(`The service ended with ${exit.signal ?? exit.code}: ${exit.stderr}`)
  }
}

/** Starts the service on the folder and waits until it is ready; throws NotStarted when it ends instead. */
export async function startService(scope: Scope, folder: string, options: StartOptions = {}): Promise<Service> {
  const startedAt = performance.now()
  const launched = launch(scope, folder, options)
  const url = await readiness(launched, options.ready)
  const { child, exited, output } = launched
  const end = (signal: NodeJS.Signals) => (): Promise<Exit> => {
    child.kill(signal)
    return exited
  }
  const startedInMs = performance.now() - startedAt
  return { url, folder, pid: child.pid!, startedInMs, exited, output, stop: end('SIGTERM'), kill: end('SIGKILL') }
}

/** The address that the process prints when it is ready. */
function readiness({ child, exited, output }: Launched, ready = READY): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not ready in time: ${output().stderr}`)), PATIENCE_MS)
    child.stdout!.on('data', () => {
      const [, url] = ready.exec(output().stdout) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    void exited.then((exit) => {
      clearTimeout(timer)
      reject(new NotStarted({ ...exit, ...output() }))
    })
  })
}

/** A scope that ends after all tests of a file, whatever their results. */
export function wholeFile({ after }: Pick<TestFn, 'after'>): Scope {
  const cleanings: (() => void | Promise<void>)[] = []
  after.always('what the file started is stopped', async () => {
    for (const clean of cleanings.reverse()) await clean()
  })
  return { teardown: (clean) => void cleanings.push(clean) }
}
