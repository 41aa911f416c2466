// The network between a node and its databases, as a test wants it: cut, so that nothing arrives and nobody is told, or
// slow.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** What a cut holds back: with `answers` alone, a database does what it is told and nobody hears of it. */
export type Cut = 'everything' | 'answers'

export class DatabaseProxy {
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  readonly #addresses = new Map<string, string>()
  #cut: Cut | undefined
  #mended = Promise.resolve()
  #mend = (): void => {}
  #delayMs = 0

  /** A proxy for the databases of these URLs. */
  static async open(urls: readonly string[]): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy()
    for (const url of urls) await proxy.#listen(url)
    return proxy
  }

  /** The URL by which a database is reached through the proxy. */
  url(forUrl: string): string {
    const address = this.#addresses.get(forUrl)
    if (address === undefined) throw new Error(`The proxy was not opened for ${forUrl}`)
    return address
  }

  /** Holds back what is sent from now on, of new connections too. None of them ends, and no end of one is seen. */
  cut(what: Cut = 'everything'): void {
    this.mend()
    this.#cut = what
    this.#mended = new Promise((resolve) => (this.#mend = resolve))
  }

  /** What was held back arrives. */
  mend(): void {
    this.#cut = undefined
    this.#mend()
  }

  /** What is sent from now on arrives this much later, in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Ends all connections, in both directions. */
  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.mend()
    const closed = this.#servers.map((server) => once(server, 'close'))
    for (const server of this.#servers) server.close()
    await Promise.all(closed)
  }

  async #listen(url: string): Promise<void> {
    const port = Number(new URL(url).port)
    const server = createServer((client) => this.#join(client, port)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#servers.push(server)
    const address = new URL(url)
    address.port = String((server.address() as AddressInfo).port)
    this.#addresses.set(url, address.href)
  }

  #join(client: Socket, port: number): void {
    const database = connect({ port, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    this.#carry(client, database, () => this.#cut === 'everything')
    this.#carry(database, client, () => this.#cut !== undefined)
  }

  /** Passes on all that a socket sends, and its end, in order. */
  #carry(from: Socket, to: Socket, isHeld: () => boolean): void {
    let last = Promise.resolve()
    const inTurn = (pass: () => void): void => {
      const dueAt = performance.now() + this.#delayMs
      last = last.then(async () => {
        await setTimeout(Math.max(0, dueAt - performance.now()))
        while (isHeld()) await this.#mended
        pass()
      })
    }
    this.#sockets.add(from)
    from.on('data', (bytes) => inTurn(() => to.write(bytes)))
    // An end with an error, such as a refused connection, is followed by `close`.
    from.on('error', () => {})
    from.on('close', () => {
      this.#sockets.delete(from)
      inTurn(() => to.destroy())
    })
  }
}
