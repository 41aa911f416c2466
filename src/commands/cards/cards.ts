// Commands on cards and on their assignments to agents. Spending is decided at their gates.
import { cardsOf } from '../../../machines/card.js'
import { cardAssignmentsOf, type CardAssignmentContext } from '../../../machines/cardAssignment.js'
import { agentPaymentsOf } from '../../../machines/payment/lists.js'
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import type { Page, Paging } from '../../actor/query.js'
import type { Ref } from '../../domain/limits/gate.js'
import { settledSums } from '../../domain/limits/sums.js'
import { refuse, refuseField, refuseLimit, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isAbove, type CardAssignmentTerms, type CardFields, type CardStatus } from '../../domain/parties/card.js'
import { isScheduleValid, WEEKDAYS } from '../../domain/time/schedule.js'
import { newId } from '../../domain/values/ids.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { cardAssignmentKey } from '../../domain/values/uniqueKeys.js'
import type { AddressedCommand } from '../barrier.js'
import { SLICES_OF_READ } from '../overdue.js'
import type { Caller, Services } from '../ports.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { find, isVisible, outcome, send, sendAll, sendIf } from '../send.js'
import { cardStatus, isPermitted, listOfStatus } from '../status.js'

/** In force. */
const MAX_OF_AGENT = 100

export async function createCard(
  services: Services,
  caller: Caller,
  fields: CardFields,
): Promise<Result<Actor<'card'>, 'VALIDATION_ERROR'>> {
  const id = newId(services.random)
  const timezone = await zoneOf(services, caller)
  const created = { id, order: services.nextOrder(), fields, timezone }
  return outcome(await send(services, caller, `card/${id}`, 'CREATE', created))
}

async function zoneOf({ host }: Services, { principal }: Caller): Promise<string> {
  const [organization] = await host.read([`organization/${principal.organization}`])
  return organization!.context.fields.timezone
}

/** What it shows of holds is not over. */
export async function findCard(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'card'>, 'NOT_FOUND'>> {
  const found = await find(services, caller, 'card', id)
  if (!found.ok) return found
  await services.overdue.endAt(caller.principal.organization, [found.value.ref], SLICES_OF_READ)
  return find(services, caller, 'card', id)
}

export interface CardList extends Paging {
  status?: CardStatus | undefined
}

export async function listCards(
  services: Services,
  { principal }: Caller,
  { status, ...paging }: CardList,
): Promise<Page<'card'> | undefined> {
  const wanted = { ...paging, list: cardsOf(principal.organization) }
  if (status === undefined) return services.query.page(wanted)
  return services.query.filtered(wanted, (card) => cardStatus(card) === status)
}

const ASSIGNED = { path: 'cardId', message: 'The card is assigned to this agent already' }
const COMMANDS: Record<CardStatus, string> = { ACTIVE: 'ACTIVATE', PAUSED: 'PAUSE', CANCELLED: 'CANCEL' }

export type CardChanges = { [Field in keyof Omit<CardFields, 'provider'>]?: CardFields[Field] | undefined } & {
  status?: CardStatus | undefined
}

/** A CANCELLED card never changes again. */
export async function updateCard(
  services: Services,
  caller: Caller,
  id: string,
  { status, ...given }: CardChanges,
): Promise<Result<Actor<'card'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const found = await findCard(services, caller, id)
  if (!found.ok) return found
  const { ref } = found.value
  const changes = omitUndefined(given)
  const commands: AddressedCommand[] = [
    ...(Object.keys(changes).length > 0 ? [{ to: ref, type: 'UPDATE', fields: { changes } }] : []),
    ...(status === undefined ? [] : [{ to: ref, type: COMMANDS[status], fields: {} }]),
  ]
  if (commands.length === 0) return found
  const said = { INVALID_STATUS: 'A cancelled card cannot be changed' }
  return outcome(await sendAll(services, caller, ref, commands), said)
}

export type GivenAssignment = {
  [Field in keyof Omit<CardAssignmentTerms, 'timezone'>]?: CardAssignmentTerms[Field] | undefined
}

/** Without limits of its own an assignment has the card's; without times it is open always. */
export function assignCard(
  services: Services,
  caller: Caller,
  agentId: string,
  cardId: string,
  given: GivenAssignment,
): Promise<
  Result<
    Actor<'cardAssignment'>,
    'ALREADY_EXISTS' | 'INVALID_STATUS' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'UNAVAILABLE' | 'VALIDATION_ERROR'
  >
> {
  return retryOnConflict(async () => {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
    const card = await find(services, caller, 'card', cardId)
    if (!card.ok) return card
    const terms = termsOf(given, await zoneOf(services, caller))
    const wrong = wrongTerms(terms, card.value.context.fields) ?? noRoom(services, agentId, cardId)
    if (wrong) return wrong
    const id = newId(services.random)
    const former = formerOf(services, agentId, cardId)
    const carried = former && (await carriedFrom(services, former))
    const fields = { id, agentId, cardId, terms, order: services.nextOrder(), ...carried }
    const { fields: limits } = card.value.context
    const areThere: Unchanged = (view) =>
      isVisible(view(agent.value.ref), caller.principal.organization) &&
      view(card.value.ref)!.context.fields === limits &&
      formerOf(services, agentId, cardId)?.revision === former?.revision
    const reply = await sendIf(services, caller, areThere, `cardAssignment/${id}`, 'CREATE', { fields })
    return reply && outcome(reply, { ALREADY_EXISTS: ASSIGNED })
  })
}

function termsOf(given: GivenAssignment, timezone: string): CardAssignmentTerms {
  const always = { allowedHoursStart: 0, allowedHoursEnd: 24, allowedDays: [...WEEKDAYS] }
  const none = { spendLimitPerTx: null, spendLimitDaily: null, blockedCategories: [] }
  return { ...none, ...always, timezone, ...(omitUndefined(given) as Partial<CardAssignmentTerms>) }
}

function wrongTerms(terms: CardAssignmentTerms, card: CardFields): Refused<'VALIDATION_ERROR'> | undefined {
  for (const limit of ['spendLimitPerTx', 'spendLimitDaily'] as const) {
    if (isAbove(terms[limit], card[limit])) return refuseField(limit, "must not be above the card's")
  }
  if (isScheduleValid(terms.allowedHoursStart, terms.allowedHoursEnd)) return undefined
  return refuseField('allowedHoursEnd', 'must differ from allowedHoursStart; an end before the start wraps midnight')
}

function noRoom({ query, host }: Services, agentId: string, cardId: string): Refused<'LIMIT_REACHED'> | undefined {
  // It is assigned already, which is another refusal.
  const known = host.keyOwner(cardAssignmentKey(agentId, cardId))
  if (known && !known.isFormer) return undefined
  if (query.size(cardAssignmentsOf(agentId, 'active')) < MAX_OF_AGENT) return undefined
  return refuseLimit('cards', `An agent has at most ${MAX_OF_AGENT} cards: remove one first`)
}

/** The assignment of this agent and card that was removed last, unless there is one now. */
function formerOf({ host }: Services, agentId: string, cardId: string): Actor<'cardAssignment'> | undefined {
  const known = host.keyOwner(cardAssignmentKey(agentId, cardId))
  return known?.isFormer ? host.peek(known.owner as Ref<'cardAssignment'>) : undefined
}

/** What a new assignment counts of a removed one: what it has spent, and what the agent may have paid with tokens. */
async function carriedFrom(
  services: Services,
  former: Actor<'cardAssignment'>,
): Promise<Pick<CardAssignmentContext, 'sums' | 'clock'>> {
  const { id, agentId, sums, clock } = former.context
  await services.host.flushed()
  const list = agentPaymentsOf(agentId, listOfStatus('APPROVED'))
  const mayPay = (payment: Actor<'payment'>): boolean =>
    isPermitted(payment) && payment.context.terms!.card?.assignmentId === id
  const permitted = await services.query.filtered({ list, limit: Infinity, offset: 0 }, mayPay)
  const maybeSpent = permitted!.actors.reduce((sum, payment) => sum + payment.context.terms!.amount, 0)
  return { sums: settledSums(sums, maybeSpent), clock }
}

/** An agent's cards, newest first. */
export async function listCardAssignments(
  services: Services,
  caller: Caller,
  agentId: string,
  paging: Paging,
): Promise<Result<Page<'cardAssignment'> | undefined, 'NOT_FOUND'>> {
  const agent = await find(services, caller, 'agent', agentId)
  if (!agent.ok) return agent
  const list = cardAssignmentsOf(agentId, 'active')
  await services.overdue.endAt(caller.principal.organization, services.query.refs(list), SLICES_OF_READ)
  return succeed(await services.query.page({ ...paging, list }))
}

export async function unassignCard(
  services: Services,
  caller: Caller,
  agentId: string,
  cardId: string,
): Promise<Result<Actor<'cardAssignment'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const agent = await find(services, caller, 'agent', agentId)
  if (!agent.ok) return agent
  const known = services.host.keyOwner(cardAssignmentKey(agentId, cardId))
  if (!known || known.isFormer) return refuse('NOT_FOUND', `No card ${cardId} is assigned to this agent`)
  return outcome(await send(services, caller, known.owner as Ref<'cardAssignment'>, 'REVOKE'))
}
