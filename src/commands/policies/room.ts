// How many policies may apply: to all agents of an organization, to one agent, to what is paid from one wallet. Each
// payment evaluates them all, so their number is bounded, and with it the work of a request.
import { policiesOfCard, policiesOfWallet, policiesOfAgent, policiesOfOrganization } from '../../../machines/policy.js'
import { refuseLimit, type Refused } from '../../domain/outcomes/result.js'
import { MAX_POLICIES } from '../../domain/parties/policy.js'
import type { Services } from '../ports.js'

const PLACES = {
  organization: 'that apply to all agents of an organization',
  agents: 'assigned to one agent',
  wallets: 'assigned to one wallet',
  cards: 'assigned to one card',
}
export type PolicyPlace = { of: keyof typeof PLACES; id: string }

const LISTS = {
  organization: policiesOfOrganization,
  agents: policiesOfAgent,
  wallets: policiesOfWallet,
  cards: policiesOfCard,
}

/** The first of these places that has as many policies as it may have. */
export function fullPlace({ query }: Services, places: readonly PolicyPlace[]): Refused | undefined {
  const full = places.find(({ of, id }) => query.size(LISTS[of](id)) >= MAX_POLICIES)
  return (
    full && refuseLimit('policies', `There are at most ${MAX_POLICIES} policies ${PLACES[full.of]}: remove one first`)
  )
}
