// One connection to whichever server of a PostgreSQL cluster takes writes. After an error it connects again, to the next
// one of its addresses.
import type { Client, ClientConfig } from 'pg'
import { setTimeout } from 'node:timers/promises'

/** The outcome of a statement is not known. */
export class Unacknowledged extends Error {}

/** The class of SQLSTATE codes. */
const WARNINGS = '01'
const CONNECT_MS = 2_000
const RETRY_MS = 50

export interface Statement {
  /** Prepared under it, once a connection. */
  name: string
  text: string
}

interface Connected {
  client: Client
  /** The WARNING of the statement that is under way. */
  warning: string | undefined
}

export class DatabaseConnection {
  readonly #urls: readonly string[]
  #at = 0
  #connected: Promise<Connected> | undefined
  #isClosed = false

  /** Connects when it is first used. */
  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /**
   * Rows of a statement that this server has carried out, on its standby too where it writes. Rejects with
   * Unacknowledged where it may or may not have been, also after `patienceMs` without an answer.
   */
  async query<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
    patienceMs: number,
  ): Promise<Row[]> {
    const connecting = (this.#connected ??= this.#connect())
    try {
      const connected = await connecting
      connected.warning = undefined
      const query = { name, text, values: [...values], query_timeout: patienceMs }
      const { rows } = await connected.client.query<Row>(query)
      // A cancelled wait for the standby is reported as success.
      if (connected.warning !== undefined) throw new Error(connected.warning)
      return rows
    } catch (error) {
      if (!isRefused(error)) this.#drop(connecting)
      throw new Unacknowledged((error as Error).message, { cause: error })
    }
  }

  /** The same again until it has succeeded; `patienceMs` doubles, up to `most`. Rejects once the connection is closed. */
  async insist<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    { patienceMs, most }: { patienceMs: number; most: number },
  ): Promise<Row[]> {
    for (let patience = patienceMs; ; patience = Math.min(2 * patience, most)) {
      try {
        return await this.query(statement, values, patience)
      } catch (error) {
        if (this.#isClosed || isRefused((error as Error).cause)) throw error
        await setTimeout(RETRY_MS)
      }
    }
  }

  /** The next statement goes to another server, where there is one. */
  leave(): void {
    if (this.#connected) this.#drop(this.#connected)
  }

  close(): void {
    this.#isClosed = true
    this.leave()
  }

  #drop(connecting: Promise<Connected>): void {
    if (this.#connected === connecting) this.#connected = undefined
    connecting.then(
      ({ client }) => socketOf(client).destroy(),
      () => {},
    )
  }

  /** To the first server that takes writes, from where the last search ended. */
  async #connect(): Promise<Connected> {
    let failure: unknown
    for (const _ of this.#urls) {
      if (this.#isClosed) throw new Error('The connection is closed')
      const url = this.#urls[this.#at++ % this.#urls.length]!
      try {
        return await connectedTo(url)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}

/** The server has carried nothing out, and would not another time: the statement or its values are wrong. */
function isRefused(error: unknown): boolean {
  return /^(21|22|23|42)[0-9A-Z]{3}$/.test(String((error as { code?: unknown } | undefined)?.code))
}

async function connectedTo(connectionString: string): Promise<Connected> {
  // Loaded by those alone who keep their journal in PostgreSQL.
  const { default: pg } = await import('pg')
  const options: ClientConfig = { connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS }
  const client = new pg.Client({ ...options, keepAlive: true })
  const connected: Connected = { client, warning: undefined }
  client.on('notice', ({ code = WARNINGS, message = '' }) => {
    // By its code, because its severity is in the server's language.
    if (code.startsWith(WARNINGS)) connected.warning = message
  })
  // The next statement says so.
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseStandby(client)
    return connected
  } catch (error) {
    socketOf(client).destroy()
    throw error
  }
}

async function refuseStandby(client: Client): Promise<void> {
  await client.query('set synchronous_commit = on')
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby === true) throw new Error(`${client.host}:${client.port} is a standby`)
}

/** To end a connection at once, which pg has no call for: its `end` waits for the statement under way. */
function socketOf(client: Client): { destroy(): void } {
  return (client as Client & { connection: { stream: { destroy(): void } } }).connection.stream
}
