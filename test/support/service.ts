// Starts the service inside the test's own process: real HTTP on a free port, a real store in a temporary folder, and a
// clock that the test can move. What the service logs is collected, because no request may make it log.
import { readConfig, type Config } from '../../src/config/config.js'
import { PasswordHasher } from '../../src/service/passwords.js'
import { startService, type Running } from '../../src/service/service.js'
import { isFull } from './depthGiven.js'
import { newClient, type Client } from './client.js'
import { newFolder, ORGANIZATION_KEY, type Scope } from './process.js'

/** Tests start many services: hashes cost nothing, in one thread for all, and nothing is rendered that is not read. */
const CHEAP = { passwords: new PasswordHasher('m=8,t=1,p=1'), isDescribedLate: true }

export const OPERATOR_KEY = 'an operator key, of 32 characters or more'

export interface Started {
  client: Client
  url: string
  /** The address it listens on, whatever its public one. */
  listening: string
  folder: string
  /** Sets the service's clock to `at` (epoch ms), from where it continues. */
  setClock(at: number): void
  /** The time of the service's clock, epoch ms. */
  now(): number
  /** Bugs that the service reported. */
  logged: string[]
  stop(): Promise<void>
  /** Stops it and starts it on the same folder. */
  restart(): Promise<void>
}

export interface StartedOptions {
  /** The time of the clock at the start, epoch ms. */
  at?: number
  env?: { [name: string]: string }
  /** Undefined for no operator key. */
  operatorKey?: string | undefined
  /** An existing data folder. */
  folder?: string
}

function configOf(folder: string, env: { [name: string]: string | undefined }): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    BURSAR_DATA_DIR: folder,
    BURSAR_BOOTSTRAP_ORG_KEY: ORGANIZATION_KEY,
    BURSAR_RATE_LIMITS: 'off',
    ...env,
  })
}

export async function start(scope: Scope, options: StartedOptions = {}): Promise<Started> {
  const { at, env, folder = newFolder(scope) } = options
  const operatorKey = 'operatorKey' in options ? options.operatorKey : OPERATOR_KEY
  const config = configOf(folder, { BURSAR_OPERATOR_KEY: operatorKey, ...env })
  const logged: string[] = []
  const log = (event: string, { error }: { [name: string]: unknown }): void => {
    logged.push(`${event}: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const onFailure = (error: Error): void => log('a commit failed', { error })
  const setClock = (to: number): void => void (config.clockOffsetMs = to - Date.now())
  if (at !== undefined) setClock(at)
  let running: Running | undefined
  const stop = async (): Promise<void> => {
    await running?.stop()
    running = undefined
  }
  scope.teardown(stop)
  const begin = async (isProbed: boolean): Promise<void> => {
    running = await startService(config, { log, onFailure, isProbed, ...CHEAP })
    started.url = running.url
    started.listening = running.listening
    started.client = newClient(scope, running.url)
  }
  const started = {
    folder,
    setClock,
    now: () => Date.now() + config.clockOffsetMs,
    logged,
    stop,
    restart: async () => {
      await stop()
      // The check is a process, and half of what a start costs.
      await begin(isFull)
    },
  } as Started
  await begin(true)
  return started
}
