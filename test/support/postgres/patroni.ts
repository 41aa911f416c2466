// Two PostgreSQL servers under Patroni in strict synchronous mode: it chooses the primary, promotes the standby when the
// primary is gone, and takes back who was away.
import { until } from '../chain.js'
import { cancelWaitsAt, createDatabase, hasStandbyAt, isPrimaryAt, waitsAt } from './admin.js'
import { startEtcd, type Etcd } from './etcd.js'
import { PatroniNode } from './patroniNode.js'

/** Patroni writes them into a setting of PostgreSQL in which some words, such as `first`, mean something else. */
const NAMES = ['one', 'two']
/** Several times what Patroni waits before it acts. */
const PATIENCE_MS = 120_000

export async function startPatroni(): Promise<PatroniDatabase> {
  const etcd = await startEtcd()
  const nodes: PatroniNode[] = []
  const database = new PatroniDatabase(etcd, nodes)
  try {
    for (const name of NAMES) nodes.push(await PatroniNode.place(name, etcd.address))
    for (const node of nodes) node.start()
    await database.waitForStandby()
    await createDatabase((await database.leader()).port)
    return database
  } catch (error) {
    await database.end()
    throw error
  }
}

export class PatroniDatabase {
  readonly #etcd: Etcd
  readonly #nodes: readonly PatroniNode[]
  #killed: PatroniNode | undefined

  constructor(etcd: Etcd, nodes: readonly PatroniNode[]) {
    this.#etcd = etcd
    this.#nodes = nodes
  }

  /** Of both servers, always in this order. */
  get urls(): string[] {
    return this.#nodes.map(({ url }) => url)
  }

  /** The node that holds the leader's key and has a primary; waits until there is one. */
  leader(): Promise<PatroniNode> {
    const find = async (): Promise<PatroniNode | undefined> => {
      const leader = await this.#nodeThatIs('primary')
      // It holds the key before its server is promoted.
      return leader && (await isPrimaryAt(leader.port)) ? leader : undefined
    }
    return until(find, 'no node of Patroni is the leader', PATIENCE_MS)
  }

  /** The URL of the primary, as soon as there is one. */
  async waitForPrimary(): Promise<string> {
    return (await this.leader()).url
  }

  /** Resolves when a standby is one to which Patroni would fail over. */
  async waitForStandby(): Promise<void> {
    const find = async (): Promise<true | undefined> => {
      const leader = await this.leader()
      const standby = await this.#nodeThatIs('synchronous')
      const isAnother = standby !== undefined && standby !== leader
      return (isAnother && (await hasStandbyAt(leader.port))) || undefined
    }
    await until(find, 'no node of Patroni is the standby', PATIENCE_MS)
  }

  /** Kills the leader's Patroni and its server at once. */
  async killLeader(): Promise<void> {
    this.#killed = await this.leader()
    await this.#killed.kill()
  }

  /** Kills the standby's Patroni and its server at once. */
  async killStandby(): Promise<void> {
    const leader = await this.leader()
    this.#killed = this.#nodes.find((node) => node !== leader)!
    await this.#killed.kill()
  }

  /** Starts again what was killed, once another node leads; resolves when it is the standby. */
  async rejoin(): Promise<void> {
    await this.leader()
    this.#killed?.start()
    await this.waitForStandby()
  }

  /** How many commits wait at the primary for a standby. */
  async waits(): Promise<number> {
    return waitsAt((await this.leader()).port)
  }

  /** Cancels all these waits, and returns how many there were. */
  async cancelWaits(): Promise<number> {
    return cancelWaitsAt((await this.leader()).port)
  }

  async end(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.end()))
    await this.#etcd.end()
  }

  async #nodeThatIs(role: 'primary' | 'synchronous'): Promise<PatroniNode | undefined> {
    const are = await Promise.all(this.#nodes.map((node) => node.is(role)))
    return this.#nodes[are.indexOf(true)]
  }
}
