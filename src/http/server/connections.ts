// The open connections of a server. A connection has one request carried out at a time: the next begins once the system
// has taken the whole answer to the one before. Until then nothing more is read from it, so that a client that does not
// read its answers holds up nobody else.
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So many pipelined requests may wait for the one before them; a connection with more is closed. */
const MAX_WAITING = 32

export type AnswerRequest = (req: IncomingMessage, res: ServerResponse) => unknown

interface Waiting {
  req: IncomingMessage
  res: ServerResponse
}

interface Connection {
  /** The response to the request that is carried out. */
  current?: ServerResponse | undefined
  waiting: Waiting[]
  isPaused: boolean
}

export class ServerConnections {
  readonly #open = new Map<Socket, Connection>()
  #isClosing = false

  constructor(server: Server, answer: AnswerRequest) {
    server.on('connection', (socket: Socket) => {
      const connection: Connection = { waiting: [], isPaused: false }
      this.#open.set(socket, connection)
      socket.once('close', () => {
        connection.waiting = []
        this.#open.delete(socket)
      })
    })
    const take: AnswerRequest = (req, res) => this.#take(req, res, answer)
    server.on('request', take)
    server.on('checkExpectation', take)
  }

  #take(req: IncomingMessage, res: ServerResponse, answer: AnswerRequest): void {
    const { socket } = req
    const connection = this.#open.get(socket)
    if (connection === undefined || socket.destroyed) return
    if (connection.current === undefined) return this.#begin(connection, { req, res }, answer)
    connection.waiting.push({ req, res })
    if (connection.waiting.length > MAX_WAITING) return void socket.destroy()
    connection.isPaused = true
    socket.pause()
  }

  #begin(connection: Connection, { req, res }: Waiting, answer: AnswerRequest): void {
    connection.current = res
    res.once('close', () => this.#goOn(connection, req.socket, answer))
    answer(req, res)
  }

  /** After an answer: with the next request, or with reading. */
  #goOn(connection: Connection, socket: Socket, answer: AnswerRequest): void {
    connection.current = undefined
    const next = connection.waiting.shift()
    if (connection.isPaused && connection.waiting.length === 0) {
      // The body of the next request may not have been read yet.
      connection.isPaused = false
      socket.resume()
    }
    if (next !== undefined) this.#begin(connection, next, answer)
    else if (this.#isClosing) socket.destroySoon()
  }

  /**
   * Sets the timeout of sockets with a part of an answer that is not read: Node destroys one without progress in it.
   * An answer that is still being made has no such part, and may take longer. Most answers are read at once, so that no
   * request pays for a timer.
   */
  timeUnread(timeoutMs: number): void {
    for (const [socket, { current }] of this.#open) {
      // Between requests the timeout is that of keep-alive.
      if (current === undefined) continue
      const wanted = socket.writableLength > 0 ? timeoutMs : 0
      if ((socket.timeout ?? 0) !== wanted) socket.setTimeout(wanted)
    }
  }

  /** Resolves once the requests that are carried out now are answered, but for those that only read. */
  async changesAnswered(): Promise<void> {
    const current = [...this.#open.values()].flatMap((connection) => connection.current ?? [])
    const changes = current.filter(({ req }) => req.method !== 'GET' && req.method !== 'HEAD')
    await Promise.all(changes.map((res) => once(res, 'close')))
  }

  /** Ends the connections without a request, and each other one after its last answer. */
  endIdle(): void {
    this.#isClosing = true
    for (const [socket, { current }] of this.#open) if (current === undefined) socket.destroySoon()
  }

  /** False while a response is being written, or while requests wait: the client would match an error wrongly. */
  mayHearOfError(socket: Socket): boolean {
    const connection = this.#open.get(socket)
    return connection !== undefined && connection.waiting.length === 0 && connection.current?.headersSent !== true
  }
}
