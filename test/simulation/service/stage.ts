// Where one client acts: its organization, its chances, and how it sends requests. A client that got no answer sends its
// request again, at once or much later, and a change that waits for an approval is remembered until it is carried out.
import type { Random } from '../../support/random.js'
import { allows, isLive, type Credential, type Organization } from './organization.js'
import { isDone, type Body, type Call, type Told, type World } from './world.js'

export interface Stage {
  world: World
  random: Random
  organization: Organization
}

/** One kind of thing that clients do. */
export interface Action {
  name: string
  /** How often, relative to the others. */
  share: number
  act(stage: Stage): Promise<void>
}

export type Wanted = Omit<Call, 'organization'>

/** One of them, if there is any. */
export function one<Choice>({ random }: Stage, choices: readonly Choice[]): Choice | undefined {
  return choices.length > 0 ? random.pick(choices) : undefined
}

/** One of the latest, on which several act at the same time. */
export function recent<Choice>(stage: Stage, choices: readonly Choice[]): Choice | undefined {
  return one(stage, choices.slice(-6))
}

/** Somebody of the organization who may do it, by what is known; one time in five anybody. */
export function somebody({ random, organization, world }: Stage, scope: string): Credential {
  const all = [organization.root, ...organization.credentials]
  const may = all.filter((each) => isLive(each, world.now) && allows(each, scope))
  return random.pick(random.chance(0.2) || may.length === 0 ? all : may)
}

/** Sends it; `learned` is called with the answer once the change is made, be that after an approval. */
export async function request(stage: Stage, wanted: Wanted, learned: (body: Body) => void = () => {}) {
  const { random, organization } = stage
  const call = { ...wanted, organization }
  const isRepeatable = call.method === 'POST' && !call.isKeyless && random.chance(0.4)
  const whole = isRepeatable ? { ...call, idempotencyKey: `k${random.below(1e9)}` } : call
  const told = await sent(stage, whole)
  learn(stage, whole, told, learned)
  if (isRepeatable) organization.repeatable.push({ call: whole, learned })
  return told
}

/** What is known after an answer, unless it is one that was given before. */
export function learn(stage: Stage, call: Call, told: Told, learned: (body: Body) => void): void {
  const held = told.body.governanceApprovalRequestId
  if (told.isReplay) return
  if (told.status === 202 && held !== undefined) keep(stage, call, held, learned)
  else if (isDone(told)) learned(told.body)
}

/** Sometimes twice at once: one of both is the answer, and the other the same. */
async function sent({ world, random }: Stage, call: Call): Promise<Told> {
  if (call.idempotencyKey === undefined || !random.chance(0.2)) return world.ask(call)
  const both = await Promise.all([world.ask(call), world.ask(call)])
  return both.find((told) => told.status < 300 && !told.isReplay) ?? both[0]
}

function keep({ organization }: Stage, { by, governed }: Call, id: string, learned: (body: Body) => void): void {
  const { actions, subject } = governed ?? { actions: [], subject: '' }
  const action = actions.join(' and ')
  if (organization.held.some((held) => held.id === id)) return
  const seen = organization.revisions.get(subject) ?? 0
  const required = organization.governance.requiredApprovals
  const open = { approvedBy: new Set<string>(), isApplied: false, status: 'PENDING' } as const
  organization.held.push({ id, action, by: by!, subject, seen, required, learned, ...open })
}
