// A simple model of payments, limits and a balance: every sum is computed from the list of payments, and zones are
// fixed offsets. It shares nothing with the service but the names of statuses and violations.
export const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
export const OFFSETS: { [zone: string]: number } = {
  UTC: 0,
  'Asia/Kolkata': 5.5 * HOUR_MS,
  'America/Phoenix': -7 * HOUR_MS,
}

export type Limit = 'spendLimitPerTx' | 'spendLimitDaily' | 'spendLimitWeekly' | 'spendLimitMonthly'
export type ModelTerms = { [limit in Limit]: number | null } & {
  delegationType: string
  allowedHoursStart: number
  allowedHoursEnd: number
  allowedDays: string[]
  timezone: string
}

interface ModelPayment {
  agent: number
  amount: number
  status: string
  /** When it expires, or was executed (epoch ms). */
  at: number
}

export class Model {
  now: number
  funded = 0
  walletActive = true
  readonly payments: ModelPayment[] = []

  constructor(
    now: number,
    readonly agents: { active: boolean; terms: ModelTerms }[],
  ) {
    this.now = now
  }

  /** Start of the agent's local day, week and month. */
  starts(agent: number): { day: number; week: number; month: number } {
    const offset = OFFSETS[this.agents[agent]!.terms.timezone]!
    const local = new Date(this.now + offset)
    const day = Math.floor(local.getTime() / DAY_MS) * DAY_MS
    const month = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1)
    return { day: day - offset, week: day - ((local.getUTCDay() + 6) % 7) * DAY_MS - offset, month: month - offset }
  }

  #sum(counts: (payment: ModelPayment) => boolean): number {
    return this.payments.filter(counts).reduce((sum, { amount }) => sum + amount, 0)
  }

  spent(agent: number): { day: number; week: number; month: number } {
    const since = (start: number) =>
      this.#sum((payment) => payment.agent === agent && payment.status === 'EXECUTED' && payment.at >= start)
    const { day, week, month } = this.starts(agent)
    return { day: since(day), week: since(week), month: since(month) }
  }

  held(agent?: number): number {
    return this.#sum(({ agent: by, status }) => isOpen(status) && (agent === undefined || agent === by))
  }

  get balance(): number {
    return this.funded - this.#sum(({ status }) => status === 'EXECUTED')
  }

  #isClosed(agent: number): boolean {
    const { allowedHoursStart: start, allowedHoursEnd: end, allowedDays, timezone } = this.agents[agent]!.terms
    const local = new Date(this.now + OFFSETS[timezone]!)
    const hour = local.getUTCHours()
    const open = start < end ? hour >= start && hour < end : hour >= start || hour < end
    const began = start > end && hour < end ? 5 : 6
    return !open || !allowedDays.includes(WEEKDAYS[(local.getUTCDay() + began) % 7]!)
  }

  /** `own` is the amount that the payment already holds. */
  #delegationViolations(agent: number, amount: number, own: number): string[] {
    const { terms } = this.agents[agent]!
    const { day, week, month } = this.spent(agent)
    const over = (limit: number | null, sum: number) => limit !== null && sum + amount > limit
    const held = this.held(agent) - own
    return [
      terms.delegationType === 'VIEW_ONLY' && 'DELEGATION_NOT_ALLOWED',
      this.#isClosed(agent) && 'TIME_WINDOW',
      over(terms.spendLimitPerTx, 0) && 'PER_TX_LIMIT',
      over(terms.spendLimitDaily, day + held) && 'DAILY_LIMIT',
      over(terms.spendLimitWeekly, week + held) && 'WEEKLY_LIMIT',
      over(terms.spendLimitMonthly, month + held) && 'MONTHLY_LIMIT',
    ].filter((type) => type !== false)
  }

  request(agent: number, amount: number, autoExecute: boolean): string[] {
    const violations = [
      ...(this.agents[agent]!.active ? [] : ['AGENT_NOT_ACTIVE']),
      ...(this.walletActive ? [] : ['WALLET_NOT_ACTIVE']),
      ...this.#delegationViolations(agent, amount, 0),
      ...(amount > this.balance - this.held() ? ['INSUFFICIENT_BALANCE'] : []),
    ]
    const waits = this.agents[agent]!.terms.delegationType === 'PREAPPROVED'
    const passed = waits ? 'REQUIRES_APPROVAL' : autoExecute ? 'EXECUTED' : 'APPROVED'
    const status = violations.length > 0 ? 'DENIED' : passed
    const at = this.now + (status === 'REQUIRES_APPROVAL' ? DAY_MS : status === 'APPROVED' ? 5 * MINUTE_MS : 0)
    this.payments.push({ agent, amount, status, at })
    return violations
  }

  /** Returns `EXECUTED` or the code of the error. */
  execute(index: number): string {
    const payment = this.payments[index]!
    const { agent, amount, status } = payment
    if (status === 'EXECUTED') return 'ALREADY_EXECUTED'
    if (status === 'EXPIRED') return 'EXPIRED'
    if (status !== 'APPROVED' || !this.agents[agent]!.active) return 'INVALID_STATUS'
    if (this.#delegationViolations(agent, amount, amount).length > 0) {
      payment.status = 'DENIED'
      return 'LIMIT_EXCEEDED'
    }
    if (!this.walletActive) return 'INVALID_STATUS'
    Object.assign(payment, { status: 'EXECUTED', at: this.now })
    return 'EXECUTED'
  }

  cancel(index: number): string {
    const payment = this.payments[index]!
    if (payment.status === 'EXECUTED') return 'ALREADY_EXECUTED'
    if (!isOpen(payment.status)) return 'INVALID_STATUS'
    return (payment.status = 'CANCELLED')
  }

  passTime(ms: number): void {
    this.now += ms
    for (const payment of this.payments)
      if (isOpen(payment.status) && payment.at <= this.now) payment.status = 'EXPIRED'
  }
}

function isOpen(status: string): boolean {
  return status === 'APPROVED' || status === 'REQUIRES_APPROVAL'
}
