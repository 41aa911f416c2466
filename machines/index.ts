// The registry: every kind of actor, its chart and the version of it that stored actors carry.
import type { AnyStateMachine, ContextFrom } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { Kind } from '../src/domain/values/kinds.js'
import type { Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'
import {
  agentKeys,
  alertKeys,
  cardAssignmentKeys,
  delegationKeys,
  formerCardAssignmentKeys,
  formerDelegationKeys,
  formerMemberKeys,
  formerPaymentKeys,
  memberKeys,
  paymentKeys,
  walletKeys,
} from '../src/domain/values/uniqueKeys.js'
import { account } from './account.js'
import { agent, agentListing } from './agent.js'
import { alert, alertListing } from './alert.js'
import { budget } from './budget.js'
import { card, cardListing } from './card.js'
import { cardAssignment, cardAssignmentListing } from './cardAssignment.js'
import { change, changeListing } from './change.js'
import { channel, channelListing } from './channel.js'
import { counterparty, counterpartyListing } from './counterparty.js'
import { delegation, delegationListing } from './delegation.js'
import { key, keyListing } from './key.js'
import { member, memberListing } from './member.js'
import { organization, organizationListing } from './organization.js'
import { payment } from './payment/chart.js'
import { paymentListing, paymentRelists } from './payment/lists.js'
import { policy, policyListing } from './policy.js'
import { session, sessionListing } from './session.js'
import { slackUser, slackUserListing } from './slackUser.js'
import { relationship, relationshipListing } from './relationship.js'
import { wallet, walletListing } from './wallet.js'
import { watch } from './watch.js'
import { workflow, workflowListing } from './workflow.js'

/** What is known of a kind of actor beside its name. */
export interface Chart<Machine extends AnyStateMachine = AnyStateMachine> {
  machine: Machine
  version: number
  /** The keys that no other actor may have while this one is as it is. */
  keys?(actor: Charted<Machine>, meta: Meta): readonly string[]
  /** The keys that it had, or never got, and whose next owner must be able to find it. */
  formerKeys?(actor: Charted<Machine>, meta: Meta): readonly string[]
  /** The code for a key that another actor has. */
  taken?: Code
  /** Where the actor is found, unless it is gone. */
  listing?(actor: Charted<Machine>, meta: Meta): Listing
  /** It is found somewhere after it is gone, too. */
  keepsListing?: true
  /** True where an actor moves between lists without changing its state. */
  relists?(before: Charted<Machine>, after: Charted<Machine>): boolean
}

interface Charted<Machine extends AnyStateMachine> {
  state: string
  context: ContextFrom<Machine>
}

function row<Machine extends AnyStateMachine>(chart: Chart<Machine>): Chart<Machine> {
  return chart
}

const always = (): boolean => true

export const charts = {
  account: row({ machine: account, version: 1 }),
  agent: row({ machine: agent, version: 1, keys: agentKeys, listing: agentListing, keepsListing: true }),
  alert: row({ machine: alert, version: 1, keys: alertKeys, listing: alertListing }),
  budget: row({ machine: budget, version: 1 }),
  card: row({ machine: card, version: 1, listing: cardListing }),
  cardAssignment: row({
    machine: cardAssignment,
    version: 1,
    keys: cardAssignmentKeys,
    formerKeys: formerCardAssignmentKeys,
    listing: cardAssignmentListing,
  }),
  change: row({ machine: change, version: 1, listing: changeListing }),
  channel: row({ machine: channel, version: 1, listing: channelListing }),
  counterparty: row({ machine: counterparty, version: 1, listing: counterpartyListing }),
  delegation: row({
    machine: delegation,
    version: 1,
    keys: delegationKeys,
    formerKeys: formerDelegationKeys,
    listing: delegationListing,
  }),
  key: row({ machine: key, version: 1, listing: keyListing }),
  member: row({
    machine: member,
    version: 1,
    keys: memberKeys,
    formerKeys: formerMemberKeys,
    listing: memberListing,
    keepsListing: true,
    relists: always,
  }),
  organization: row({ machine: organization, version: 1, listing: organizationListing }),
  payment: row({
    machine: payment,
    version: 1,
    keys: paymentKeys,
    formerKeys: formerPaymentKeys,
    taken: 'ALREADY_EXECUTED',
    listing: paymentListing,
    relists: paymentRelists,
  }),
  policy: row({ machine: policy, version: 1, listing: policyListing, relists: always }),
  session: row({ machine: session, version: 1, listing: sessionListing }),
  slackUser: row({ machine: slackUser, version: 1, listing: slackUserListing }),
  relationship: row({ machine: relationship, version: 1, listing: relationshipListing }),
  wallet: row({ machine: wallet, version: 1, keys: walletKeys, listing: walletListing }),
  watch: row({ machine: watch, version: 1 }),
  workflow: row({ machine: workflow, version: 1, listing: workflowListing }),
}

export type Charts = Record<Kind, Chart>

type ChartedContexts = { [K in keyof typeof charts]: ContextFrom<(typeof charts)[K]['machine']> }

declare module '../src/domain/values/kinds.js' {
  interface Contexts extends ChartedContexts {}
}

export type { Kind }
