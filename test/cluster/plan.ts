// Runs the faults one after the other against two nodes under load from a client that goes from node to node, and has the
// result verified. Nothing here knows what is right: that is verify.ts.
import { until } from '../support/chain.js'
import type { Client } from '../support/client.js'
import { newFailingOverClient, type FailingOverClient } from '../support/failingOver.js'
import { Load } from '../support/load.js'
import { ownerOf, PairedNode } from '../support/nodePair.js'
import { fundedAgent, made, type FundedAgent } from '../support/payments.js'
import { clockAt, ORGANIZATION_KEY, type Scope } from '../support/process.js'
import { Random } from '../support/random.js'
import type { FailingDatabase } from './failingDatabase.js'
import { FAULTS, type Scene } from './faults.js'
import { verified, type Acknowledged, type Findings } from './verify.js'

export interface Plan {
  /** How often a fault of the full plan, which has it so many times, happens in this one. */
  timesOf: (full: number) => number
  seed: number
  say: (line: string) => void
  /** Those of the full plan, if left out. */
  faults?: typeof FAULTS
  /** Called with the addresses of the database once nobody uses it any more, before it is verified. */
  harm?: (urls: readonly string[]) => Promise<void>
}

export interface Outcome {
  acknowledged: number
  findings: Findings
  faults: FaultOutcome[]
  /** Faults that did not happen, each with what was missing for it. */
  notRun: { name: string; lacks: string }[]
}

interface FaultOutcome {
  name: string
  times: number
  /** The longest time without an answer, in milliseconds. */
  longestGap: number
}

const CALLERS = 12
const BALANCE = 2_000
/** Reached in every run, so that there are denials by limit. */
const DAILY_LIMIT = 300
const OPERATOR_KEY = 'the operator key of a cluster under test'
/** No day ends while the plan runs. */
const NOON = Date.parse('2031-07-09T12:00:00Z')
/** After each fault, so that the next one finds the load under way. */
const ANSWERS_BETWEEN = 4 * CALLERS

export async function runPlan(scope: Scope, database: FailingDatabase, plan: Plan): Promise<Outcome> {
  const { seed, say } = plan
  const settings = { ...clockAt(NOON), BURSAR_OPERATOR_KEY: OPERATOR_KEY }
  const started = [1, 2].map(() => PairedNode.start(scope, database.urls, settings))
  const nodes = await Promise.all(started)
  const client = newFailingOverClient(() => nodes.map(({ url }) => url))
  await ownerOf(nodes)
  const agents = await funded(client)
  const acknowledged: Acknowledged[] = []
  const load = new Load(agents, new Random(seed))
  const running = load.run(noting(client, acknowledged), CALLERS)
  const { faults, notRun } = await failing({ nodes, database }, client, plan).finally(() => client.stop())
  await running
  const last = newFailingOverClient(() => nodes.map(({ url }) => url))
  for (const deed of load.unanswered()) await load.send(noting(last, acknowledged), deed)
  say(`Verifying ${acknowledged.length} answers`)
  const folders = await stopped(nodes)
  await plan.harm?.(database.urls)
  const records = { load, agents, initial: BALANCE, acknowledged }
  const findings = await verified(scope, { folders, urls: database.urls, settings, records })
  return { acknowledged: acknowledged.length, findings, faults, notRun }
}

/** Of two organizations; one agent has a limit that it reaches. */
async function funded(client: Client): Promise<FundedAgent[]> {
  const other = await made<{ apiKey: string }>(client, '/api/organizations', { name: 'Other' }, OPERATOR_KEY)
  const agents: FundedAgent[] = []
  for (const organizationKey of [ORGANIZATION_KEY, other.apiKey]) {
    for (const terms of [{}, { spendLimitDaily: DAILY_LIMIT }]) {
      const name = `Payer ${agents.length + 1}`
      agents.push(await fundedAgent(client, { name, balance: BALANCE, terms, organizationKey }))
    }
  }
  return agents
}

/** Notes each answer to a POST with an idempotency key as the caller gets it, apart from what the load remembers. */
function noting(client: Client, acknowledged: Acknowledged[]): Client {
  return {
    ...client,
    post: async <Body>(...asked: Parameters<Client['post']>) => {
      const answer = await client.post<Body>(...asked)
      const [path, key, body, headers] = asked
      const { status, body: told } = answer
      acknowledged.push({ path, key, body, headers: { ...headers }, status, answer: JSON.stringify(told) })
      return answer
    },
  }
}

async function failing(
  scene: Scene,
  client: FailingOverClient,
  { timesOf, say, faults: planned = FAULTS }: Plan,
): Promise<Pick<Outcome, 'faults' | 'notRun'>> {
  const faults: FaultOutcome[] = []
  const notRun: Outcome['notRun'] = []
  for (const [name, { times: full, lacks, happens }] of Object.entries(planned)) {
    const missing = lacks?.(scene)
    if (missing !== undefined) {
      notRun.push({ name, lacks: missing })
      continue
    }
    const times = timesOf(full)
    let longestGap = 0
    for (let time = 0; time < times; time += 1) {
      client.takeGap()
      await happens(scene)
      await ownerOf(scene.nodes)
      await client.answered(ANSWERS_BETWEEN)
      longestGap = Math.max(longestGap, client.takeGap())
    }
    faults.push({ name, times, longestGap })
    say(`${name}: ${times} ×, at most ${longestGap} ms without an answer`)
  }
  return { faults, notRun }
}

/** The folders of both nodes, the owner's first, once the standby has all that the owner has. */
async function stopped(nodes: readonly PairedNode[]): Promise<[string, string]> {
  const owner = await ownerOf(nodes)
  const standby = nodes.find((node) => node !== owner)!
  await until(async () => {
    const [has, wanted] = [await standby.applied(), await owner.applied()]
    return (has !== undefined && has === wanted) || undefined
  }, 'the standby does not get all entries')
  for (const node of [standby, owner]) await node.stop()
  return [owner.folder, standby.folder]
}
