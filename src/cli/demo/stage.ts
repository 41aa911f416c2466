// The demo's service over one data folder, which can be killed and restarted, and clients that follow it to its new
// address.
import { startChild, type ServiceChild, type Settings } from '../terminal/child.js'

export interface DemoAnswer<Body> {
  status: number
  body: Body
}

/** A client of the service with one key; the caller states the type of an answer. */
export interface Client {
  get<Body>(path: string): Promise<DemoAnswer<Body>>
  post<Body>(path: string, body?: object): Promise<DemoAnswer<Body>>
}

const TIMEOUT_MS = 10_000

export class Stage {
  readonly #start: () => Promise<ServiceChild>
  #service: ServiceChild
  readonly firstKey: string

  /** Starts a service over a new folder. */
  static async open(folder: string, settings: Settings = {}): Promise<Stage> {
    const start = (): Promise<ServiceChild> => startChild(folder, settings)
    return new Stage(start, await start())
  }

  private constructor(start: () => Promise<ServiceChild>, service: ServiceChild) {
    this.#start = start
    this.#service = service
    this.firstKey = service.firstKey!
  }

  get url(): string {
    return this.#service.url
  }

  /** Ends the service as a crash would (SIGKILL); resolves to its process id. */
  async kill(): Promise<number> {
    await this.#service.end('SIGKILL')
    return this.#service.pid
  }

  async restart(): Promise<void> {
    this.#service = await this.#start()
  }

  close(): Promise<void> {
    return this.#service.end('SIGTERM')
  }

  client(key: string): Client {
    const ask = async <Body>(method: string, path: string, body?: object): Promise<DemoAnswer<Body>> => {
      const response = await fetch(this.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Body }
    }
    return { get: (path) => ask('GET', path), post: (path, body) => ask('POST', path, body) }
  }
}
