// The limits of active agents that are closest to being used up. Only the newest agents are read; if there are more, it
// says so.
import { api } from '../api.js'
import { grouped, micros, share } from '../format/money.js'
import { useLoad } from '../load.js'
import type { Delegation } from '../records.js'
import { to } from '../router.js'
import { ButtonLink } from './button.js'
import { DelegationLimits } from './delegationLimits.js'
import { Section } from './page.js'
import { Later } from './later.js'
import { Empty, When } from './loadingStates.js'

const MAX_AGENTS = 25
const MAX_LIMITS = 6
const MAX_WALLETS = 100

interface Row {
  agent: string
  delegation: Delegation
}

interface Nearest {
  rows: Row[]
  /** The number of agents that were read, and the number of active ones. */
  read: number
  active: number
}

async function readNearest(): Promise<Nearest> {
  const { agents, total } = await api.call('GET /api/agents', { query: { limit: MAX_AGENTS, status: 'ACTIVE' } })
  const reads = agents.map(async ({ id: agentId, name }): Promise<Row[]> => {
    const parts = { path: { agentId }, query: { limit: MAX_WALLETS } }
    const { wallets } = await api.call('GET /api/agents/{agentId}/wallets', parts)
    return wallets.filter(({ status }) => status === 'ACTIVE').map((delegation) => ({ agent: name, delegation }))
  })
  const rows = (await Promise.all(reads)).flat()
  rows.sort((one, other) => strain(other.delegation) - strain(one.delegation))
  return { rows: rows.slice(0, MAX_LIMITS), read: agents.length, active: total }
}

/** The share used of its tightest limit, 0 to 100. */
function strain({ spent, reserved, spendLimitDaily, spendLimitWeekly, spendLimitMonthly }: Delegation): number {
  const windows = [
    [spent.day, spendLimitDaily],
    [spent.week, spendLimitWeekly],
    [spent.month, spendLimitMonthly],
  ] as const
  const held = micros(reserved)
  return Math.max(0, ...windows.map(([used, limit]) => (limit === null ? 0 : share(micros(used) + held, limit))))
}

export function NearestLimits(props: { everyMs: number }) {
  return (
    <Section title="Limits close to exhaustion">
      <Later rows={4}>
        <Limits {...props} />
      </Later>
    </Section>
  )
}

function Limits({ everyMs }: { everyMs: number }) {
  const nearest = useLoad(readNearest, [], { everyMs })
  return (
    <When of={nearest} rows={4}>
      {({ rows, read, active }) => (
        <>
          {read < active && <p class="lead">{`Among the ${read} newest of ${grouped(active)} active agents.`}</p>}
          {rows.length > 0 ? <Cards of={rows} /> : <None active={active} />}
        </>
      )}
    </When>
  )
}

function Cards({ of }: { of: Row[] }) {
  return (
    <div class="cards">
      {of.map(({ agent, delegation }) => (
        <div class="card" key={delegation.id}>
          <h3>
            <a href={to('agents', delegation.agentId)}>{agent}</a> <span class="hint">{delegation.wallet.name}</span>
          </h3>
          <DelegationLimits of={delegation} />
        </div>
      ))}
    </div>
  )
}

function None({ active }: { active: number }) {
  if (active > 0) return <p class="hint">No agent has a wallet with limits.</p>
  return (
    <Empty icon="agents" title="No active agents" action={<ButtonLink href={to('agents')} label="View agents" />}>
      Every agent is paused, suspended or revoked.
    </Empty>
  )
}
