// The registry: every kind of actor, its chart and the version of it that stored actors carry.
import type { AnyStateMachine } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import {
  agentKeys,
  delegationKeys,
  formerDelegationKeys,
  formerMemberKeys,
  formerPaymentKeys,
  memberKeys,
  paymentKeys,
  walletKeys,
  type Keyed,
} from '../src/domain/values/uniqueKeys.js'
import { account } from './account.js'
import { agent } from './agent.js'
import { budget } from './budget.js'
import { change } from './change.js'
import { channel } from './channel.js'
import { counterparty } from './counterparty.js'
import { delegation } from './delegation.js'
import { key } from './key.js'
import { member } from './member.js'
import { organization } from './organization.js'
import { payment } from './payment/chart.js'
import { policy } from './policy.js'
import { session } from './session.js'
import { relationship } from './relationship.js'
import { wallet } from './wallet.js'
import { workflow } from './workflow.js'

export interface Chart {
  machine: AnyStateMachine
  version: number
  /** The keys that no other actor may have while this one is as it is. */
  keys?: (actor: Keyed) => readonly string[]
  /** The keys that it had, or never got, and whose next owner must be able to find it. */
  formerKeys?: (actor: Keyed) => readonly string[]
  /** The code for a key that another actor has. */
  taken?: Code
}

export type Kind =
  | 'account'
  | 'agent'
  | 'budget'
  | 'change'
  | 'channel'
  | 'counterparty'
  | 'delegation'
  | 'key'
  | 'member'
  | 'organization'
  | 'payment'
  | 'policy'
  | 'session'
  | 'relationship'
  | 'wallet'
  | 'workflow'

export type Charts = Record<Kind, Chart>

export const charts: Charts = {
  account: { machine: account, version: 1 },
  agent: { machine: agent, version: 1, keys: agentKeys },
  budget: { machine: budget, version: 1 },
  change: { machine: change, version: 1 },
  channel: { machine: channel, version: 1 },
  counterparty: { machine: counterparty, version: 1 },
  delegation: { machine: delegation, version: 1, keys: delegationKeys, formerKeys: formerDelegationKeys },
  key: { machine: key, version: 1 },
  member: { machine: member, version: 1, keys: memberKeys, formerKeys: formerMemberKeys },
  organization: { machine: organization, version: 1 },
  payment: {
    machine: payment,
    version: 1,
    keys: paymentKeys,
    formerKeys: formerPaymentKeys,
    taken: 'ALREADY_EXECUTED',
  },
  policy: { machine: policy, version: 1 },
  session: { machine: session, version: 1 },
  relationship: { machine: relationship, version: 1 },
  wallet: { machine: wallet, version: 1, keys: walletKeys },
  workflow: { machine: workflow, version: 1 },
}
