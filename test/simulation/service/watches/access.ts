// Who has ended access is answered 401 by every route, and who lacks a right 403; all others are let in.
import { demand } from '../../violated.js'
import { allows, isLive, isOwner, type Credential } from '../organization.js'
import type { Call, Exchange, Watch, World } from '../world.js'

const HOUR_MS = 3_600_000
/** A session lasts a week, and half a day after its last use, which is noted to the minute. */
const SURE_MS = 6 * 24 * HOUR_MS
const IDLE_MS = 12 * HOUR_MS
const MARGIN_MS = 2 * 60_000

export class Access implements Watch {
  readonly #world: World
  readonly #begun: number
  /** Whether the credential was certainly alive, or certainly not, when the request was sent. */
  readonly #before = new WeakMap<Call, boolean | undefined>()
  /** The last time that each session was used (epoch ms). */
  readonly #usedAt = new WeakMap<Credential['headers'], number>()

  constructor(world: World) {
    this.#world = world
    this.#begun = world.now
  }

  asked(call: Call): void {
    if (call.by) this.#before.set(call, this.#isLive(call.by))
  }

  answered({ call, told, from, isAlone }: Exchange): void {
    const { by, needs, isOwners } = call
    if (!by) return
    if (told.status !== 401) this.#usedAt.set(by.headers, from)
    const what = `${call.method} ${call.path} by ${by.name}: ${told.text}`
    const [before, after] = [this.#before.get(call), this.#isLive(by)]
    if (before === false) return demand('access', told.status === 401, () => what)
    if (before !== true || after !== true || !isAlone) return
    demand('access', told.status !== 401, () => what)
    if (needs === undefined) return
    const isAllowed = allows(by, needs) && (!isOwners || isOwner(by))
    if (!isAllowed) demand('access', told.status === 403, () => what)
    // Only approvers decide, whatever else somebody may do.
    const isRefused =
      told.status === 403 && told.body.code === 'INSUFFICIENT_SCOPE' && !/decision|collect/.test(call.path)
    demand('access', !isAllowed || !isRefused, () => what)
  }

  /** Undefined where the clock, which was set back, leaves it open. */
  #isLive(by: Credential): boolean | undefined {
    const { now, latest, wasSetBack } = this.#world
    if (!isLive(by, now)) return false
    if (by.type !== 'PERSON') return isLive(by, latest) ? true : undefined
    const usedAt = this.#usedAt.get(by.headers)
    if (usedAt === undefined) return undefined
    const idle = latest - usedAt
    if (idle > IDLE_MS + MARGIN_MS && !wasSetBack) return false
    return idle < IDLE_MS - MARGIN_MS && latest < this.#begun + SURE_MS ? true : undefined
  }
}
