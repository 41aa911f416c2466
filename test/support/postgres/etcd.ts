// An etcd of one member, on loopback, in which the nodes of Patroni agree on their leader.
import { until } from '../chain.js'
import { freePort, lastingPort } from '../programs.js'
import { databaseProgram, ServerFolder } from './serverFolder.js'

export interface Etcd {
  /** Host and port. */
  address: string
  end(): Promise<void>
}

export async function startEtcd(): Promise<Etcd> {
  const program = databaseProgram('etcd', 'etcd')
  const address = `127.0.0.1:${await lastingPort()}`
  const folder = new ServerFolder('etcd')
  try {
    const running = folder.start(program, optionsOf(folder.path, `http://${address}`, await freePort()))
    await until(async () => {
      if (!running.isRunning()) throw new Error(`etcd ended before it answered: ${running.written()}`)
      return isHealthy(address)
    }, 'etcd does not answer')
    return { address, end: () => folder.end() }
  } catch (error) {
    await folder.end()
    throw error
  }
}

function optionsOf(folder: string, url: string, peerPort: number): string[] {
  const peer = `http://127.0.0.1:${peerPort}`
  const clients = [`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`]
  const peers = [`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`]
  return [`--data-dir=${folder}/data`, '--name=only', `--initial-cluster=only=${peer}`, ...clients, ...peers]
}

function isHealthy(address: string): Promise<true | undefined> {
  return fetch(`http://${address}/health`).then(
    ({ ok }) => ok || undefined,
    () => undefined,
  )
}
