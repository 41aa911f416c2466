// bursar agents: registers and stops agents, and delegates wallets to them.
import type { Agent, Delegation, LimitForecast, WholeAgent } from '../../sdk/index.js'
import { AGENT_TYPES } from '../domain/parties/agent.js'
import { DELEGATION_TYPES } from '../domain/parties/delegation.js'
import { WEEKDAYS } from '../domain/time/timezone.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { choice } from './terminal/arguments.js'
import { UsageError } from './terminal/command.js'
import { idNamed, printedList } from './terminal/listed.js'
import { record, table, type Columns } from './terminal/show.js'

const HOURS = /^(\d{1,2})-(\d{1,2})$/

const COLUMNS: Columns<Agent> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  TYPE: ({ agentType }) => agentType,
  STATUS: ({ status }) => status,
  CREATED: ({ createdAt }) => createdAt,
}
const DELEGATION_COLUMNS: Columns<Delegation> = {
  WALLET: ({ wallet }) => wallet.name,
  TYPE: ({ delegationType }) => delegationType,
  STATUS: ({ status }) => status,
  'PER TX': ({ spendLimitPerTx }) => spendLimitPerTx,
  'LEFT TODAY': ({ remaining }) => remaining.day,
  'LEFT THIS WEEK': ({ remaining }) => remaining.week,
  'LEFT THIS MONTH': ({ remaining }) => remaining.month,
  RESERVED: ({ reserved }) => reserved,
}

export function agentIdOf({ bursar }: ServiceCommand, word: string): Promise<string> {
  return idNamed(word, () => bursar.agents.list({ search: word }))
}

const fields = ({ id, name, agentType, status, description, autoFreeze, frozenFor }: Agent) => ({
  id,
  name,
  type: agentType,
  status,
  description,
  ...(autoFreeze && { 'automatic freeze': Object.entries(autoFreeze).map((one) => one.join(' ')).join(', ') }),
  ...(frozenFor !== null && { 'frozen for': frozenFor }),
})

const shown = (agent: Agent): Shown => ({ json: agent, lines: (style) => record(fields(agent), style) })

const whole = (agent: WholeAgent): Shown => ({
  json: agent,
  lines: (style) => [
    ...record({ ...fields(agent), policies: agent.policies.map(({ name }) => name).join(', ') || null }, style),
    '',
    ...(agent.wallets.length > 0 ? table(DELEGATION_COLUMNS, agent.wallets, style) : ['no wallets']),
  ],
})

function hours(text: string | undefined): { allowedHoursStart?: number; allowedHoursEnd?: number } {
  if (text === undefined) return {}
  const [, from, to] = HOURS.exec(text) ?? []
  if (from === undefined) throw new UsageError('--hours must look like 9-17')
  return { allowedHoursStart: Number(from), allowedHoursEnd: Number(to) }
}

async function delegate(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words, text } = asking
  const [agent, wallet] = [await agentIdOf(asking, words[0]!), await idNamed(words[1]!, () => bursar.wallets.list())]
  const days = text('days')
    ?.split(',')
    .map((day) => choice('--days', WEEKDAYS, day)!)
  const delegation = await bursar.agents.wallets.delegate(agent, {
    walletId: wallet,
    delegationType: choice('--type', DELEGATION_TYPES, text('type')),
    spendLimitPerTx: text('per-tx'),
    spendLimitDaily: text('daily'),
    spendLimitWeekly: text('weekly'),
    spendLimitMonthly: text('monthly'),
    ...hours(text('hours')),
    allowedDays: days,
    timezone: text('timezone'),
  })
  return { json: delegation, lines: (style) => table(DELEGATION_COLUMNS, [delegation], style) }
}

const FORECAST: Columns<LimitForecast> = {
  WALLET: ({ walletId }) => walletId,
  WINDOW: ({ window }) => window,
  LIMIT: ({ limit }) => limit,
  SPENT: ({ spent }) => spent,
  RESERVED: ({ reserved }) => reserved,
  'PER HOUR': ({ perHour }) => perHour,
  'USED UP BY': ({ exhaustedAt }) => exhaustedAt ?? null,
}

async function forecast(asking: ServiceCommand): Promise<Shown> {
  const found = await asking.bursar.agents.forecast(await agentIdOf(asking, asking.words[0]!))
  const { limits } = found
  return { json: found, lines: (style) => (limits.length > 0 ? table(FORECAST, limits, style) : ['no limits']) }
}

/** Options by the thresholds that they set. */
const THRESHOLD_OPTIONS = {
  violations: 'consecutiveViolations',
  failures: 'consecutiveFailures',
  'hourly-factor': 'hourlySpendFactor',
  'payment-factor': 'paymentFactor',
  recipients: 'recipientsPerHour',
} as const

/** Without a threshold, the service watches all, with its own numbers. */
async function autoFreeze(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words, text, has } = asking
  const thresholds = Object.entries(THRESHOLD_OPTIONS).flatMap(([option, threshold]) => {
    const given = text(option)
    if (given !== undefined && !/^\d+(\.\d+)?$/.test(given)) throw new UsageError(`--${option} must be a number`)
    return given === undefined ? [] : [[threshold, Number(given)] as const]
  })
  const isOn = !has('off')
  if (!isOn && (thresholds.length > 0 || has('alert-only'))) throw new UsageError('--off takes no other option')
  const on = { ...Object.fromEntries(thresholds), action: has('alert-only') ? 'ALERT' : 'FREEZE' } as const
  const agentId = await agentIdOf(asking, words[0]!)
  return shown(await bursar.agents.update(agentId, { autoFreeze: isOn ? on : null }))
}

async function create({ bursar, words: [name], text }: ServiceCommand): Promise<Shown> {
  const agentType = choice('--type', AGENT_TYPES, text('type')) ?? 'CUSTOM'
  return shown(await bursar.agents.create({ name: name!, agentType, description: text('description') }))
}

export const agentCommands = {
  'agents list': asking({
    usage: 'agents list [--search TEXT] [--limit N]',
    summary: 'list agents',
    run: async (asking) => printedList(asking, asking.bursar.agents.list({ search: asking.text('search') }), COLUMNS),
  }),
  'agents show': asking({
    usage: 'agents show AGENT',
    summary: 'show an agent, its wallets and its remaining limits',
    run: async (asking) => whole(await asking.bursar.agents.get(await agentIdOf(asking, asking.words[0]!))),
  }),
  'agents create': asking({
    usage: 'agents create NAME [--type TYPE] [--description TEXT]',
    summary: `register an agent; TYPE is one of ${AGENT_TYPES.join(', ')}`,
    run: create,
  }),
  'agents freeze': asking({
    usage: 'agents freeze AGENT REASON',
    summary: 'freeze an agent immediately',
    run: async (asking) => {
      const { bursar, words } = asking
      return shown((await bursar.agents.freeze(await agentIdOf(asking, words[0]!), words[1]!)).agent)
    },
  }),
  'agents unfreeze': asking({
    usage: 'agents unfreeze AGENT [--reason REASON]',
    summary: 'unfreeze an agent',
    run: async (asking) => {
      const { bursar, words, text } = asking
      return shown((await bursar.agents.unfreeze(await agentIdOf(asking, words[0]!), text('reason'))).agent)
    },
  }),
  'agents auto-freeze': asking({
    usage:
      'agents auto-freeze AGENT [--violations N] [--failures N] [--hourly-factor N] [--payment-factor N] ' +
      '[--recipients N] [--alert-only] [--off]',
    summary: 'freeze an agent by itself at these thresholds, or at the usual ones; --alert-only raises an alert alone',
    run: autoFreeze,
  }),
  'agents forecast': asking({
    usage: 'agents forecast AGENT',
    summary: "show when an agent's limits will be used up, by the last 24 hours",
    run: forecast,
  }),
  'agents delegate': asking({
    usage:
      'agents delegate AGENT WALLET [--type TYPE] [--per-tx AMOUNT] [--daily AMOUNT] [--weekly AMOUNT] ' +
      '[--monthly AMOUNT] [--hours HOURS] [--days LIST] [--timezone ZONE]',
    summary:
      'delegate a wallet to an agent; HOURS look like 9-17, LIST like Mon,Tue, ' +
      `TYPE is one of ${DELEGATION_TYPES.join(', ')}`,
    run: delegate,
  }),
}
