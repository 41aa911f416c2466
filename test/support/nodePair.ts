// Two nodes of one shard, each with a folder and a network of its own, which are started again when they end.
import { rmSync } from 'node:fs'
import { DatabaseProxy } from './postgres/proxy.js'
import { nodeEnv, startFollowing } from './nodes.js'
import { newFolder, type Scope, type Service } from './process.js'
import { until } from './chain.js'

export class PairedNode {
  readonly folder: string
  readonly proxy: DatabaseProxy
  readonly #scope: Scope
  readonly #env: { [name: string]: string }
  #service: Service | undefined
  #isEnded = false
  #restarted: Promise<void> = Promise.resolve()

  static async start(scope: Scope, urls: readonly string[]): Promise<PairedNode> {
    const proxy = await DatabaseProxy.open(urls)
    scope.teardown(() => proxy.end())
    const env = nodeEnv(urls.map((url) => proxy.url(url)))
    const node = new PairedNode(scope, proxy, env)
    await node.#start()
    return node
  }

  private constructor(scope: Scope, proxy: DatabaseProxy, env: { [name: string]: string }) {
    this.#scope = scope
    this.#env = env
    this.proxy = proxy
    this.folder = newFolder(scope)
  }

  get url(): string {
    return this.#service?.url ?? 'http://127.0.0.1:1'
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.#service!.pid, signal)
  }

  /** Resolves once the process that runs now has ended, and the next one is there. */
  async restarted(): Promise<void> {
    await this.#service?.exited
    await this.#restarted
  }

  async isOwner(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_000) })
      return ((await response.json()) as { role?: string }).role === 'OWNER' && response.ok
    } catch {
      return false
    }
  }

  loseFolder(): void {
    this.signal('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** For good. */
  async stop(): Promise<void> {
    await this.#restarted
    this.#isEnded = true
    await this.#service?.stop()
  }

  async #start(): Promise<void> {
    const service = await startFollowing(this.#scope, this.folder, this.#env)
    this.#service = service
    void service.exited.then(() => {
      this.#service = undefined
      if (!this.#isEnded) this.#restarted = this.#again()
    })
  }

  /** As a supervisor does: a start may find the database out of reach. */
  async #again(): Promise<void> {
    for (let tries = 0; tries < 30 && !this.#isEnded; tries += 1) {
      try {
        return await this.#start()
      } catch {
        // It is started again.
      }
    }
  }
}

/** The node that owns the shard; waits for it. */
export function ownerOf(nodes: readonly PairedNode[]): Promise<PairedNode> {
  const find = async (): Promise<PairedNode | undefined> => {
    for (const node of nodes) if (await node.isOwner()) return node
    return undefined
  }
  return until(find, 'no node owns the shard')
}
