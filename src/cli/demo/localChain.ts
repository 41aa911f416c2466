// A local chain for the demo and for tests: anvil, started through npx on a free loopback port, with a test token that
// anyone may mint. It ends with the process that started it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { TEST_TOKEN_BYTECODE } from './testToken.js'

const ANVIL = '@foundry-rs/anvil@1.7.1'
export const LOCAL_CHAIN_ID = '31337'

const TIMEOUT_MS = 60_000
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/
/** The first of the accounts that anvil signs for. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const SELECTORS = { mint: '40c10f19', refuse: '66b5bb50', balanceOf: '70a08231' }
const TEN_COINS = '0x8ac7230489e80000'

/** Anvil cannot be started here. */
export class NoChain extends Error {
  override name = 'NoChain'
}

export class LocalChain {
  readonly url: string
  readonly token: string
  readonly #child: ChildProcess

  /** Throws NoChain when anvil cannot be started. `options` are anvil's. */
  static async start(options: readonly string[] = []): Promise<LocalChain> {
    try {
      // Without this npx asks the registry at every start, even for a version that is in its cache.
      return await LocalChain.#run(['--prefer-offline'], options)
    } catch (error) {
      // What npx last heard from the registry may be older than this version.
      if (error instanceof NoChain && error.message.includes('notarget')) return LocalChain.#run([], options)
      throw error
    }
  }

  static async #run(npxOptions: readonly string[], options: readonly string[]): Promise<LocalChain> {
    const command = [
      '-y',
      '--no-update-notifier',
      ...npxOptions,
      ANVIL,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      ...options,
    ]
    // Its own process group, so that npx, its wrapper and anvil end together.
    const child = spawn('npx', command, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    process.prependOnceListener('exit', () => endGroup(child))
    try {
      const url = `http://127.0.0.1:${await portOf(child)}`
      return new LocalChain(url, await deploy(url), child)
    } catch (error) {
      endGroup(child)
      throw error
    }
  }

  private constructor(url: string, token: string, child: ChildProcess) {
    this.url = url
    this.token = token
    this.#child = child
  }

  /** The settings with which a service settles on this chain. */
  get settings(): { [name: string]: string } {
    return {
      BURSAR_SETTLEMENT: 'live',
      [`BURSAR_RPC_${LOCAL_CHAIN_ID}`]: this.url,
      [`BURSAR_ASSET_${LOCAL_CHAIN_ID}`]: this.token,
    }
  }

  rpc<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
    return rpc(this.url, method, params)
  }

  /** Gives an address tokens (micro-units) and, for fees, coins. */
  async fund(address: string, micros: number, coins = TEN_COINS): Promise<void> {
    await this.rpc('anvil_setBalance', [address, coins])
    await this.#send(SELECTORS.mint, word(address), word(micros))
  }

  /** Makes token transfers to this address revert, or succeed again. */
  refuse(address: string, isRefused: boolean): Promise<void> {
    return this.#send(SELECTORS.refuse, word(address), word(isRefused ? 1 : 0))
  }

  async balanceOf(address: string): Promise<number> {
    const data = `0x${SELECTORS.balanceOf}${word(address)}`
    return Number(await this.rpc<string>('eth_call', [{ to: this.token, data }, 'latest']))
  }

  async mine(blocks: number): Promise<void> {
    await this.rpc('anvil_mine', [`0x${blocks.toString(16)}`])
  }

  async stop(): Promise<void> {
    const gone =
      this.#child.exitCode === null && this.#child.signalCode === null ? once(this.#child, 'exit') : undefined
    endGroup(this.#child)
    await gone
  }

  async #send(...data: string[]): Promise<void> {
    const hash = await this.rpc<string>('eth_sendTransaction', [
      { from: DEPLOYER, to: this.token, data: `0x${data.join('')}` },
    ])
    await mined(this.url, hash)
  }
}

function word(value: string | number): string {
  const digits = typeof value === 'number' ? value.toString(16) : value.slice(2).toLowerCase()
  return digits.padStart(64, '0')
}

async function deploy(url: string): Promise<string> {
  const sent = [{ from: DEPLOYER, data: TEST_TOKEN_BYTECODE }]
  const hash = await rpc<string>(url, 'eth_sendTransaction', sent)
  return (await mined(url, hash)).contractAddress
}

/** Waits for the receipt; mines a block when mining is manual. */
async function mined(url: string, hash: string): Promise<{ contractAddress: string }> {
  const find = (): Promise<{ contractAddress: string } | null> => rpc(url, 'eth_getTransactionReceipt', [hash])
  const first = await find()
  if (first) return first
  await rpc(url, 'anvil_mine', ['0x1'])
  const receipt = await find()
  if (receipt) return receipt
  throw new Error(`The local chain did not mine ${hash}`)
}

async function rpc<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

function portOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    const give = (why: string): void => {
      clearTimeout(timer)
      reject(new NoChain(`anvil did not start: ${why}`))
    }
    const timer = setTimeout(() => give(`it was not ready after ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS)
    child.once('error', (error) => give(error.message))
    child.once('exit', () => give(printed.trim().slice(-300) || 'it ended without any output'))
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed = (printed + text).slice(-10_000)
        const [, port] = LISTENING.exec(printed) ?? []
        if (port === undefined) return
        clearTimeout(timer)
        resolve(port)
      })
    }
  })
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
