// Gives the data folder to a process that asks for it: from then on the service answers reads alone, from what the folder
// has, and ends once another process serves the folder.
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../config/failure.js'
import type { Log } from '../domain/values/log.js'
import type { Readiness } from '../http/server/endpoint.js'
import { askNoMore, isFolderAskedFor } from '../store/folder/handOver.js'
import { GRACE_MS, stopRunning, unheard, workEnded, type RunningParts } from './stopping.js'

const LOOK_EVERY_MS = 250

interface HandOverPorts {
  dataDir: string
  log: Log
  /** The service cannot go on. */
  onFailure: (error: Error) => void
}

export class HandOver {
  readonly #running: RunningParts
  readonly #ports: HandOverPorts
  readonly #looking: NodeJS.Timeout
  /** Once somebody has asked: settles when the folder is given up. */
  #giving: Promise<void> | undefined
  #isGiven = false
  #isFailed = false
  #isStopping = false

  constructor(running: RunningParts, ports: HandOverPorts) {
    this.#running = running
    this.#ports = ports
    askNoMore(ports.dataDir)
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref()
  }

  /** Undefined as long as nobody has asked. */
  get readiness(): Readiness | undefined {
    if (this.#giving === undefined) return undefined
    const isOver = this.#isFailed || (this.#isGiven && this.#running.store.isChanged)
    return isOver ? 'failed' : 'readOnly'
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking)
    this.#isStopping = true
    if (this.#giving === undefined) return stopRunning(this.#running)
    await this.#giving
    await unheard(this.#running)
    await this.#running.store.close()
  }

  async #look(): Promise<void> {
    const { dataDir, log, onFailure } = this.#ports
    // It has said so, with its cause.
    if (this.#isFailed) return
    if (this.readiness === 'failed') return onFailure(new Failure(`Another process serves ${dataDir} now`))
    if (this.#giving !== undefined || !(await isFolderAskedFor(dataDir))) return
    if (this.#giving !== undefined || this.#isStopping) return
    log('the data folder is handed over: only reads are answered from now on', {})
    this.#giving = this.#give().catch((error: Error) => {
      this.#isFailed = true
      onFailure(error)
    })
  }

  async #give(): Promise<void> {
    const { unwatch, listening, store, unlock } = this.#running
    unwatch()
    // What takes longer cannot be written any more, and is answered so.
    await Promise.race([listening.changesAnswered(), pause(GRACE_MS, undefined, { ref: false })])
    await workEnded(this.#running)
    if (!(await store.rest())) throw store.failure!
    this.#isGiven = true
    await unlock()
  }
}
