// What moves money moves it once, while nothing forbids it, in time, and for the permit's own payment.
import { demand } from '../../violated.js'
import type { Payment } from '../organization.js'
import type { Call, Exchange, Told, Watch, World } from '../world.js'

const SPENT = new Set(['EXECUTED', 'EXECUTING'])
const EXECUTES = /^\/api\/sdk\/payments\/([^/]+)\/execute$/
const CONFIRMS = /^\/api\/sdk\/(?:payments|cards)\/([^/]+)\/confirm$/

export class Executions implements Watch {
  readonly #world: World
  /** When each payment was first seen to be spent. */
  readonly spentAt = new Map<string, number>()
  readonly #executed = new Set<string>()
  /** Signatures by payment. */
  readonly #signed = new Map<string, string>()

  constructor(world: World) {
    this.#world = world
  }

  answered(exchange: Exchange): void {
    const { call, told } = exchange
    if (!call.organization || told.status >= 300 || told.isReplay) return
    this.#once(call)
    this.#token(call)
    this.#signature(told)
    for (const shown of shownIn(told)) this.#spent(shown, exchange)
  }

  #once({ path }: Call): void {
    const [, id] = EXECUTES.exec(path) ?? []
    if (id === undefined) return
    demand('once', !this.#executed.has(id), () => `${id} was executed twice`)
    this.#executed.add(id)
  }

  #token({ path, body, organization }: Call): void {
    const [, id] = CONFIRMS.exec(path) ?? []
    const payment = organization!.payments.find((each) => each.id === id)
    if (!payment) return
    const isOwn = (body as { approvalToken: string }).approvalToken === payment.token
    demand('token', isOwn, () => `${id} was confirmed with the token of another payment`)
  }

  #signature({ body }: Told): void {
    const { requestId, paymentPayload } = body
    if (requestId === undefined || paymentPayload === undefined) return
    const signature = JSON.stringify(paymentPayload)
    const first = this.#signed.get(requestId) ?? signature
    demand('signed', first === signature, () => `${requestId} has two signatures`)
    const isOwn = [...this.#signed].every(([id, other]) => id === requestId || other !== signature)
    demand('signed', isOwn, () => `${requestId} has the signature of another payment`)
    this.#signed.set(requestId, signature)
  }

  #spent({ requestId, status }: Shown, { call, from, isAlone }: Exchange): void {
    if (!SPENT.has(status) || this.spentAt.has(requestId)) return
    this.spentAt.set(requestId, from)
    const payment = call.organization!.payments.find(({ id }) => id === requestId)
    const isByAgent = CONFIRMS.test(call.path) || call.path.endsWith('/settle')
    if (!isAlone || isByAgent || call.method === 'GET') return
    demand('barred', !call.organization!.isFrozen, () => `${call.organization!.name} is frozen, and pays ${requestId}`)
    if (payment) this.#inTime(payment, from)
    const bar = payment && barOf(payment)
    demand('barred', bar === undefined, () => `${requestId} is paid, and ${bar}`)
  }

  #inTime({ id, expiresAt }: Payment, now: number): void {
    const isLate = expiresAt !== undefined && now >= expiresAt && this.#world.latest === now
    demand('time', !isLate, () => `${id} was executed after its time`)
  }
}

interface Shown {
  requestId: string
  status: string
}

/** The payment of an answer, or of the approval request in it. */
function shownIn({ body }: Told): Shown[] {
  const { requestId, status, payment } = body
  return requestId !== undefined && status !== undefined ? [{ requestId, status }] : payment ? [payment] : []
}

function barOf({ agent, wallet, recipient, card }: Payment): string | undefined {
  if (agent.status !== 'ACTIVE') return `its agent is ${agent.status}`
  if (wallet?.isFrozen) return 'its wallet is frozen'
  if (card?.status === 'PAUSED') return 'its card is paused'
  return recipient?.status === 'BLOCKED' ? 'its recipient is blocked' : undefined
}
