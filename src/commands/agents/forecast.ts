// When an agent's spending limits will be used up, if it goes on spending as in the last day.
import { delegationsOf, type DelegationContext } from '../../../machines/delegation.js'
import { charts } from '../../../machines/index.js'
import { agentTransactionsOf } from '../../../machines/payment/lists.js'
import type { Actor } from '../../actor/actor.js'
import { statusOf } from '../../actor/turn.js'
import { PERIODS, sumsAt } from '../../domain/limits/sums.js'
import { gateTime } from '../../domain/limits/gate.js'
import { succeed, type Result } from '../../domain/outcomes/result.js'
import { limitsOf } from '../../domain/parties/delegation.js'
import { windowsAt, type Period } from '../../domain/time/windows.js'
import { addCapped, type Micros } from '../../domain/values/money.js'
import type { Caller, Services } from '../ports.js'
import { findAgent } from './agents.js'

const HOUR_MS = 3_600_000
const LOOKED_BACK_HOURS = 24
/** More payments than these are not read: their time is shorter, and so is what the mean is of. */
const MOST_PAYMENTS = 20_000
const PAGE = 500

export interface LimitForecast {
  walletId: string
  window: Uppercase<Period>
  limit: Micros
  spent: Micros
  reserved: Micros
  perHour: Micros
  /** Epoch ms; absent where the limit lasts until the window ends. */
  exhaustedAt?: number
}

export async function forecast(
  services: Services,
  caller: Caller,
  agentId: string,
): Promise<Result<LimitForecast[], 'NOT_FOUND'>> {
  const found = await findAgent(services, caller, agentId)
  if (!found.ok) return found
  const delegations = await services.query.all(delegationsOf(agentId, 'active'))
  const perHour = await spendingPerHour(services, agentId)
  const now = services.now()
  return succeed(delegations.flatMap((one) => forecasts(one.context, perHour, now)))
}

function forecasts(delegation: DelegationContext, perHour: Map<string, Micros>, now: number): LimitForecast[] {
  const { walletId, terms, sums } = delegation
  const at = gateTime(delegation, { now })
  const current = sumsAt(sums, at, terms.timezone)
  const windows = windowsAt(at, terms.timezone)
  return PERIODS.flatMap((period): LimitForecast[] => {
    const limit = limitsOf(terms)[period]
    if (limit === null) return []
    const { spent } = current[period]
    const rate = perHour.get(walletId) ?? 0
    const rest = limit - spent - current.held
    const exhaustedAt = rest <= 0 ? at : rate > 0 ? at + Math.ceil((rest / rate) * HOUR_MS) : Infinity
    const known = { walletId, window: period.toUpperCase() as Uppercase<Period>, limit, spent, reserved: current.held }
    return [{ ...known, perHour: rate, ...(exhaustedAt < windows[period].end && { exhaustedAt }) }]
  })
}

/** By wallet: what was executed in the last 24 hours, by the hour. */
async function spendingPerHour(services: Services, agentId: string): Promise<Map<string, Micros>> {
  const now = services.now()
  const sums = new Map<string, Micros>()
  let [from, read, cursor] = [now - LOOKED_BACK_HOURS * HOUR_MS, 0, undefined as string | undefined]
  const list = agentTransactionsOf(agentId)
  do {
    const page = (await services.query.page({ list, from, limit: PAGE, offset: 0, cursor }))!
    for (const payment of page.actors) add(sums, payment)
    read += page.actors.length
    cursor = page.nextCursor
    if (read >= MOST_PAYMENTS) from = page.actors.at(-1)!.context.executedAt!
    await services.breathe()
  } while (cursor !== undefined && read < MOST_PAYMENTS)
  const hours = Math.max((now - from) / HOUR_MS, 1)
  return new Map([...sums].map(([wallet, sum]) => [wallet, Math.round(sum / hours)]))
}

/** Payments that failed are spent no more. */
function add(sums: Map<string, Micros>, payment: Actor<'payment'>): void {
  const { terms } = payment.context
  if (statusOf(charts, payment) === 'FAILED') return
  const { walletId, amount } = terms!
  if (walletId !== null) sums.set(walletId, addCapped(sums.get(walletId) ?? 0, amount))
}
