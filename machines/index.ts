// The registry: every kind of actor, its chart and the version of it that stored actors carry.
import type { AnyStateMachine, ContextFrom } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { Kind } from '../src/domain/values/kinds.js'
import type { Listing } from '../src/domain/values/lists.js'
import type { Meta } from '../src/domain/values/meta.js'
import type { MigrationSteps } from '../src/domain/values/migration.js'
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
import { service, serviceListing } from './service.js'
import { session, sessionListing } from './session.js'
import { slackUser, slackUserListing } from './slackUser.js'
import { relationship, relationshipListing } from './relationship.js'
import { wallet, walletListing } from './wallet.js'
import { watch } from './watch.js'
import { workflow, workflowListing } from './workflow.js'

/** What is known of a kind of actor beside its name. */
export interface Chart<Machine extends AnyStateMachine = AnyStateMachine> {
  machine: Machine
  /** From 1; raised whenever its stored actors change: states, fields, or what a field has at first. */
  version: number
  /** From each earlier version to the next. */
  steps?: MigrationSteps
  /** The fields that people may see in Inspect; the others are concealed. */
  shown: readonly (keyof ContextFrom<Machine>)[]
  /** The fields that change with what the actor counts: they are stored apart from the others. */
  counted?: readonly (keyof ContextFrom<Machine> & string)[]
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

const RECORD = ['id', 'organization', 'createdAt', 'updatedAt', 'order'] as const

/** Of a counterparty. */
const PAYMENTS_TO_IT = [
  'transactionCount',
  'totalVolume',
  'failedCount',
  'firstTransactionAt',
  'lastTransactionAt',
  'unusualAt',
  'clock',
] as const

export const charts = {
  account: row({
    machine: account,
    version: 1,
    shown: ['organization', 'chainId', 'address', 'nonce', 'former', 'holder'],
  }),
  agent: row({
    machine: agent,
    version: 1,
    shown: [
      ...RECORD,
      'edits',
      'name',
      'fields',
      'frozenFor',
      'frozenAs',
      'unfrozenFor',
      'executed',
      'tally',
      'clock',
      'autoFreeze',
      'activity',
    ],
    counted: ['executed', 'tally', 'activity', 'clock'],
    keys: agentKeys,
    listing: agentListing,
    keepsListing: true,
  }),
  alert: row({
    machine: alert,
    version: 1,
    shown: [...RECORD, 'fields', 'key', 'count', 'lastAt', 'acknowledgedBy', 'resolvedBy', 'isOnce', 'isOver'],
    keys: alertKeys,
    listing: alertListing,
  }),
  budget: row({ machine: budget, version: 1, shown: ['organization', 'tally', 'joins', 'clock'] }),
  card: row({
    machine: card,
    version: 1,
    shown: [...RECORD, 'fields', 'timezone', 'sums', 'clock'],
    counted: ['sums', 'clock'],
    listing: cardListing,
  }),
  cardAssignment: row({
    machine: cardAssignment,
    version: 1,
    shown: [...RECORD, 'agentId', 'cardId', 'terms', 'sums', 'clock'],
    counted: ['sums', 'clock'],
    keys: cardAssignmentKeys,
    formerKeys: formerCardAssignmentKeys,
    listing: cardAssignmentListing,
  }),
  change: row({
    machine: change,
    version: 1,
    shown: [
      ...RECORD,
      'action',
      'resource',
      'resourceId',
      'createsId',
      'ref',
      'requestedBy',
      'isCollected',
      'approval',
      'expiresAt',
      'collectBy',
      'application',
    ],
    listing: changeListing,
  }),
  channel: row({ machine: channel, version: 1, shown: [...RECORD, 'edits', 'fields'], listing: channelListing }),
  counterparty: row({
    machine: counterparty,
    version: 1,
    shown: [
      ...RECORD,
      'edits',
      'name',
      'nameSource',
      'address',
      'category',
      'notes',
      'website',
      'type',
      'spendingCategory',
      'description',
      'reason',
      ...PAYMENTS_TO_IT,
    ],
    counted: PAYMENTS_TO_IT,
    listing: counterpartyListing,
  }),
  delegation: row({
    machine: delegation,
    version: 1,
    shown: [...RECORD, 'edits', 'agentId', 'walletId', 'terms', 'sums', 'clock'],
    counted: ['sums', 'clock'],
    keys: delegationKeys,
    formerKeys: formerDelegationKeys,
    listing: delegationListing,
  }),
  key: row({
    machine: key,
    version: 2,
    // Until then no key was OAUTH.
    steps: { 1: { defaults: { context: { oauth: undefined } } } },
    shown: [...RECORD, 'fields', 'expiresAt', 'usedAt', 'oauth'],
    listing: keyListing,
    relists: (_before, { context: { oauth } }) => oauth !== null,
  }),
  member: row({
    machine: member,
    version: 1,
    shown: [...RECORD, 'email', 'name', 'role', 'createdBy', 'countsAs', 'generation', 'lastSignInAt'],
    keys: memberKeys,
    formerKeys: formerMemberKeys,
    listing: memberListing,
    keepsListing: true,
    relists: always,
  }),
  organization: row({
    machine: organization,
    version: 2,
    // Until then no redelivery was noted.
    steps: { 1: { defaults: { context: { redelivered: undefined } } } },
    shown: [...RECORD, 'fields', 'webhook', 'alerts', 'frozenFor', 'edits', 'redelivered'],
    listing: organizationListing,
  }),
  payment: row({
    machine: payment,
    version: 2,
    // Until then none was by x402.
    steps: { 1: {} },
    shown: [
      ...RECORD,
      'gates',
      'holds',
      'terms',
      'decision',
      'review',
      'reviews',
      'asksPerson',
      'approval',
      'formerApprovals',
      'permit',
      'approvedForMs',
      'expiresAt',
      'autoExecute',
      'autoExecuteError',
      'releasedFor',
      'keepsKey',
      'causes',
      'refusedBy',
      'transactionId',
      'executedAt',
      'transferKey',
      'sending',
      'nonce',
      'provider',
      'txHash',
      'block',
      'confirmedAt',
      'stopReason',
    ],
    keys: paymentKeys,
    formerKeys: formerPaymentKeys,
    taken: 'ALREADY_EXECUTED',
    listing: paymentListing,
    relists: paymentRelists,
  }),
  policy: row({
    machine: policy,
    version: 1,
    shown: [
      ...RECORD,
      'definition',
      'version',
      'change',
      'budgeted',
      'agents',
      'wallets',
      'cards',
      'joins',
      'former',
      'tests',
      'testsVersion',
    ],
    listing: policyListing,
    relists: always,
  }),
  service: row({
    machine: service,
    version: 1,
    shown: [...RECORD, 'host', 'recipients', 'payments', 'total', 'days', 'lastAt', 'clock'],
    listing: serviceListing,
  }),
  session: row({
    machine: session,
    version: 1,
    shown: [...RECORD, 'memberId', 'generation', 'expiresAt', 'usedAt', 'userAgent'],
    listing: sessionListing,
  }),
  slackUser: row({
    machine: slackUser,
    version: 1,
    shown: [...RECORD, 'channelId', 'memberId', 'teamId', 'userId', 'userName'],
    listing: slackUserListing,
  }),
  relationship: row({
    machine: relationship,
    version: 1,
    shown: ['organization', 'createdAt', 'order', 'kind', 'agentId', 'counterpartyId'],
    listing: relationshipListing,
  }),
  wallet: row({
    machine: wallet,
    version: 1,
    shown: [...RECORD, 'fields', 'balance', 'unsettled', 'observed', 'held', 'lowGas', 'clock'],
    counted: ['balance', 'unsettled', 'observed', 'held', 'lowGas', 'clock'],
    keys: walletKeys,
    listing: walletListing,
  }),
  watch: row({ machine: watch, version: 1, shown: ['organization', 'walletId', 'from', 'to', 'waiting', 'found'] }),
  workflow: row({ machine: workflow, version: 1, shown: [...RECORD, 'fields'], listing: workflowListing }),
}

export type Charts = Record<Kind, Chart>

type ChartedContexts = { [K in keyof typeof charts]: ContextFrom<(typeof charts)[K]['machine']> }

declare module '../src/domain/values/kinds.js' {
  interface Contexts extends ChartedContexts {}
}

export type { Kind }
