// Two nodes of one shard, each with a folder, a disk and a network of its own, which are started again when they end.
import { rmSync } from 'node:fs'
import { failingDisk, type FailingDisk } from './failingDisk.js'
import { signal } from './postgres/processes.js'
import { DatabaseProxy } from './postgres/proxy.js'
import { nodeEnv, startFollowing } from './nodes.js'
import { newFolder, type Scope, type Service } from './process.js'
import { until } from './chain.js'

interface Readiness {
  status?: string
  role?: string
  applied?: number
}

export class PairedNode {
  readonly folder: string
  readonly proxy: DatabaseProxy
  /** Undefined where such a disk cannot be built. */
  readonly disk: FailingDisk | undefined
  readonly #scope: Scope
  readonly #env: { [name: string]: string }
  #service: Service | undefined
  #isEnded = false
  #restarted: Promise<void> = Promise.resolve()

  /** `more` are settings besides those of every node. */
  static async start(
    scope: Scope,
    urls: readonly string[],
    more: { [name: string]: string } = {},
  ): Promise<PairedNode> {
    const proxy = await DatabaseProxy.open(urls)
    scope.teardown(() => proxy.end())
    const disk = failingDisk(scope)
    const env = nodeEnv(
      urls.map((url) => proxy.url(url)),
      { ...more, ...disk?.env },
    )
    const node = new PairedNode(scope, { proxy, disk, env })
    await node.#start()
    return node
  }

  private constructor(
    scope: Scope,
    { proxy, disk, env }: Pick<PairedNode, 'proxy' | 'disk'> & { env: { [name: string]: string } },
  ) {
    this.#scope = scope
    this.#env = env
    this.proxy = proxy
    this.disk = disk
    this.folder = newFolder(scope)
  }

  get url(): string {
    return this.#service?.url ?? 'http://127.0.0.1:1'
  }

  /** A node that has just ended, as on a busy machine one does that loses its lease, gets none. */
  signal(name: NodeJS.Signals): void {
    if (this.#service) signal(this.#service.pid, name)
  }

  /** Resolves once the process that runs now has ended. */
  async ended(): Promise<void> {
    await this.#service?.exited
  }

  /** Resolves once the process that runs now has ended, and the next one is there. */
  async restarted(): Promise<void> {
    await this.ended()
    await this.#restarted
  }

  async isOwner(): Promise<boolean> {
    const { role, status } = await this.#readiness()
    return role === 'OWNER' && status === 'ready'
  }

  /** The last entry that its folder has; undefined while it does not answer. */
  async applied(): Promise<number | undefined> {
    return (await this.#readiness()).applied
  }

  async #readiness(): Promise<Readiness> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_000) })
      return (await response.json()) as Readiness
    } catch {
      return {}
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
