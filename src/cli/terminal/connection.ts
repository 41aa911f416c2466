// The service's URL and API key: from the environment, then standard input, then the file that `bursar init` writes.
// Keys never come from arguments, which every process on the machine can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../config/failure.js'
import type { Environment } from '../../config/env.js'
import { UsageError, type CommandContext } from './command.js'

export interface Connection {
  url: string
  apiKey?: string | undefined
}

/** What a command uses. */
export interface Reached extends Connection {
  /** The URLs of all nodes that it may ask; `url` is the first. */
  nodes: [string, ...string[]]
}

export const DEFAULT_URL = 'http://127.0.0.1:3000'
const OTHERS = 0o077

export function connectionFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(homedir(), '.config')
  return join(folder, 'bursar', 'connection.json')
}

/** The connection that a command uses. INVARIANT: the key of the file is sent only to the service of the file. */
export async function connectionOf(context: CommandContext, fromInput: boolean): Promise<Reached> {
  const { env } = context
  const kept = readConnection(env)
  const nodes = (env['BURSAR_URL'] ?? kept?.url ?? DEFAULT_URL)
    .split(',')
    .map((text) => urlIn(text.trim())) as Reached['nodes']
  const ofFile = nodes.every((node) => node === kept?.url) ? kept?.apiKey : undefined
  const apiKey = fromInput ? await keyFromInput(context) : (env['BURSAR_API_KEY'] ?? ofFile)
  return { url: nodes[0], nodes, apiKey }
}

export async function keyFromInput({ readLine }: CommandContext): Promise<string> {
  const key = (await readLine()).trim()
  if (key === '') throw new UsageError('--key-stdin needs the key in the first line of standard input')
  return key
}

/** The normalized URL. The service answers at the root of its origin: a URL with a path belongs to something else. */
export function urlIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRoot = url?.pathname === '/' && url.search === '' && url.username === ''
  if (isRoot && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(`The service's address must be an http or https URL without a path, not ${JSON.stringify(text)}`)
}

/** Undefined without a file; throws for one that other users can read, because its key is no longer secret. */
function readConnection(env: Environment): Connection | undefined {
  const file = connectionFile(env)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return undefined
  if (process.platform !== 'win32' && found.mode & OTHERS) {
    throw new Failure(`${file} can be read by other users: run chmod 600 on it, and replace its key`)
  }
  return connectionIn(file)
}

function connectionIn(file: string): Connection {
  try {
    const { url, apiKey } = JSON.parse(readFileSync(file, 'utf8')) as { url: unknown; apiKey: unknown }
    if (typeof url === 'string' && typeof apiKey === 'string') return { url: urlIn(url), apiKey }
  } catch (error) {
    if (error instanceof UsageError) throw error
  }
  throw new Failure(`${file} is not a connection file: run bursar init again`)
}

/** Writes the file atomically, readable only by this user from the first byte. */
export function writeConnection(env: Environment, { url, apiKey }: Connection): string {
  const file = connectionFile(env)
  const unfinished = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(unfinished, `${JSON.stringify({ url, apiKey }, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true })
    chmodSync(unfinished, 0o600)
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
  return file
}
