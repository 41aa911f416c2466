// Every place of the dashboard, with something to see there: for what is looked at on all of them.
import type { Story } from './story.js'

export interface Shown {
  /** The name of its picture. */
  name: string
  place: string
  /** Seen when the page is whole. */
  sign: string
}

export function placesOf(story: Story): Shown[] {
  const agent = story.agents['Research crawler']!.agentId
  return [
    { name: 'overview', place: '', sign: 'Limits nearest to their end' },
    { name: 'welcome', place: 'welcome', sign: 'Who wants to pay?' },
    { name: 'approvals', place: 'approvals', sign: 'Hetzner Cloud' },
    { name: 'approval-payment', place: `approvals/${story.approvals.payment}`, sign: 'Why a person is asked' },
    { name: 'approval-change', place: `approvals/${story.approvals.change}`, sign: 'What it would change' },
    { name: 'payments', place: 'payments', sign: 'Scrapeworks' },
    { name: 'payment-denied', place: `payments/${story.payments.denied}`, sign: 'How it was decided' },
    { name: 'payment-executed', place: `payments/${story.payments.executed}`, sign: 'How it was decided' },
    { name: 'agents', place: 'agents', sign: 'Procurement' },
    { name: 'agent', place: `agents/${agent}`, sign: 'Latest payments' },
    { name: 'wallets', place: 'wallets', sign: 'Treasury multisig' },
    { name: 'counterparties', place: 'counterparties', sign: 'Lucky Gains' },
    { name: 'counterparty', place: `counterparties/${story.counterpartyId}`, sign: 'In the network' },
    { name: 'audit', place: 'audit', sign: 'by' },
    { name: 'webhooks', place: 'webhooks', sign: 'Events go to' },
    { name: 'settings-general', place: 'settings/general', sign: 'Stop everything' },
    { name: 'settings-people', place: 'settings/people', sign: 'Last signed in' },
    { name: 'settings-keys', place: 'settings/keys', sign: 'Begins with' },
    { name: 'settings-approvals', place: 'settings/approvals', sign: 'Approval workflows' },
    { name: 'settings-governance', place: 'settings/governance', sign: 'Which changes' },
    { name: 'settings-limits', place: 'settings/limits', sign: 'a minute' },
    { name: 'settings-account', place: 'settings/account', sign: 'Password now' },
  ]
}
