// Alerts: one for each cause, which counts it while nobody has resolved it, and one for each large payment.
import type { Alert, Payment as PaymentRecord } from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { Organization } from '../organization.js'
import type { Exchange, Watch, World } from '../world.js'
import { everyOne } from './reading.js'

/** What a denial is counted as. */
const COUNTED: [alert: string, violations: Set<string>][] = [
  ['BLOCKED_ADDRESS', new Set(['BLOCKED_COUNTERPARTY'])],
  [
    'SPEND_LIMIT_EXCEEDED',
    new Set(['PER_TX_LIMIT', 'DAILY_LIMIT', 'WEEKLY_LIMIT', 'MONTHLY_LIMIT', 'BUDGET_EXCEEDED']),
  ],
]

export class Alerts implements Watch {
  readonly #world: World
  /** Payments that were certainly large when they were approved, and those that certainly were not. */
  readonly #large = new Map<string, boolean>()
  readonly #resolved = new Set<string>()

  constructor(world: World) {
    this.#world = world
  }

  answered({ call, told, isAlone }: Exchange): void {
    const { organization, path } = call
    if (!organization || told.status >= 300 || told.isReplay) return
    const [, id] = /^\/api\/alerts\/([^/]+)\/resolve$/.exec(path) ?? []
    if (id !== undefined) this.#resolved.add(id)
    const { requestId, status, amount } = told.body as unknown as PaymentRecord
    const isDecided = /\/(request|authorize)$/.test(path) && /^(APPROVED|EXECUTED|EXECUTING)$/.test(status)
    const isKnown = organization.payments.some((each) => each.id === requestId)
    if (!isAlone || !isDecided || isKnown) return
    const { highValueAbove } = organization
    this.#large.set(requestId, highValueAbove !== null && amount >= highValueAbove)
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      const alerts = await everyOne<Alert>(this.#world, organization, '/api/alerts')
      const payments = await everyOne<PaymentRecord>(this.#world, organization, '/api/payments')
      this.#largeOnes(alerts, payments)
      counts(organization, alerts, payments)
      for (const { id, status } of alerts) {
        demand('alerts', !this.#resolved.has(id) || status === 'RESOLVED', () => `${id} was resolved, and is ${status}`)
      }
    }
  }

  #largeOnes(alerts: readonly Alert[], payments: readonly PaymentRecord[]): void {
    const large = alerts.filter(({ type }) => type === 'HIGH_VALUE_TRANSACTION')
    for (const { id } of payments) {
      const raised = large.filter(({ paymentId }) => paymentId === id)
      const isLarge = this.#large.get(id)
      demand(
        'alerts',
        raised.length <= 1 && (raised[0]?.count ?? 1) === 1,
        () => `${id} raised ${raised.length} alerts`,
      )
      if (isLarge === undefined) continue
      demand(
        'alerts',
        raised.length === (isLarge ? 1 : 0),
        () => `${id} is large: ${isLarge}, with ${raised.length} alerts`,
      )
    }
  }
}

function counts({ name }: Organization, alerts: readonly Alert[], payments: readonly PaymentRecord[]): void {
  for (const [type, violations] of COUNTED) {
    const counted = alerts.filter((alert) => alert.type === type).reduce((sum, { count }) => sum + count, 0)
    const denied = payments.filter(({ status, deniedBy }) => status === 'DENIED' && deniedBy === 'POLICY')
    const kinds = denied.map((payment) => new Set((payment.violations ?? []).map((one) => one.type)))
    const should = kinds.flatMap((types) => [...types].filter((one) => violations.has(one))).length
    demand('alerts', counted === should, () => `${name} has ${counted} counted as ${type}, and ${should} denials`)
  }
}
