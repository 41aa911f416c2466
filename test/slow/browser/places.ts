// Every page of the dashboard, with data to show there, for whatever visits all of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { projectRoot } from '../../support/root.js'
import type { Story } from './story.js'

export interface Shown {
  /** The name of its picture. */
  name: string
  place: string
  /** Text that is visible when the page is complete. */
  sign: string
  /** What is done on the page before it is examined. */
  act?: (page: Page) => Promise<void>
}

/** The paths of all pages, as `web/routes.ts` lists them. */
export function routePatterns(): string[] {
  const text = readFileSync(join(projectRoot, 'web', 'routes.ts'), 'utf8')
  return [...text.matchAll(/pattern: '([^']*)'/g)].map(([, pattern]) => pattern!)
}

export function placesOf(story: Story): Shown[] {
  const agent = story.agents['Research crawler']!.agentId
  return [
    { name: 'overview', place: '', sign: 'Limits close to exhaustion' },
    { name: 'attention', place: 'attention', sign: 'Needs attention' },
    { name: 'welcome', place: 'welcome', sign: 'Create an agent' },
    { name: 'approvals', place: 'approvals', sign: 'Hetzner Cloud' },
    { name: 'approval-payment', place: `approvals/${story.approvals.payment}`, sign: 'Why approval is required' },
    { name: 'approval-change', place: `approvals/${story.approvals.change}`, sign: 'Proposed change' },
    { name: 'alerts', place: 'alerts', sign: 'Payment to a blocked address denied' },
    { name: 'alert', place: `alerts/${story.alertId}`, sign: 'Resolve' },
    { name: 'payments', place: 'payments', sign: 'Scrapeworks' },
    { name: 'payment-denied', place: `payments/${story.payments.denied}`, sign: 'Request' },
    { name: 'payment-executed', place: `payments/${story.payments.executed}`, sign: 'Request' },
    { name: 'agents', place: 'agents', sign: 'Procurement' },
    { name: 'agent', place: `agents/${agent}`, sign: 'Recent payments' },
    { name: 'wallets', place: 'wallets', sign: 'Treasury multisig' },
    {
      name: 'wallet',
      place: `wallets/${story.agents['Procurement']!.walletId}`,
      sign: 'Who may spend from it',
    },
    { name: 'counterparties', place: 'counterparties', sign: 'Lucky Gains' },
    { name: 'counterparty', place: `counterparties/${story.counterpartyId}`, sign: 'Network' },
    { name: 'services', place: 'services', sign: 'api.example.com' },
    { name: 'payment-x402', place: `payments/${story.payments.x402}`, sign: 'Signature valid until' },
    { name: 'cards', place: 'cards', sign: 'Register one here' },
    { name: 'audit', place: 'audit', sign: 'by' },
    {
      name: 'audit-entry',
      place: `audit?resourceId=${story.payments.executed}`,
      sign: 'Payment request',
      act: (page) => page.getByText('Payment request').click(),
    },
    {
      name: 'connect',
      place: 'connect',
      sign: 'is not complete',
      act: async (page) => {
        await page.goto(`/connect?${new URLSearchParams({ request: story.consentRequest }).toString()}`)
        await page.getByLabel('Agent').selectOption('Research crawler')
        await page.getByText('What it could spend today').waitFor()
      },
    },
    { name: 'slack', place: 'slack', sign: 'Slack' },
    { name: 'webhooks', place: 'webhooks', sign: 'Endpoint URL' },
    { name: 'channels', place: 'channels', sign: 'On call' },
    { name: 'settings-alerts', place: 'settings/alerts', sign: 'Payments are large from' },
    { name: 'settings-general', place: 'settings', sign: 'Freeze organization' },
    { name: 'settings-members', place: 'settings/members', sign: 'Last sign-in' },
    { name: 'settings-keys', place: 'settings/keys', sign: 'Last used' },
    { name: 'settings-workflows', place: 'settings/workflows', sign: 'Approval workflows' },
    { name: 'settings-governance', place: 'settings/governance', sign: 'Changes that require approval' },
    { name: 'settings-limits', place: 'settings/limits', sign: 'per minute' },
    { name: 'inspect', place: 'inspect', sign: 'relationship' },
    { name: 'inspect-machine', place: 'inspect/wallet', sign: 'Recent activity' },
    { name: 'inspect-history', place: `inspect/payment/${story.payments.executed}`, sign: 'Changes' },
    {
      name: 'inspect-story',
      place: `inspect/payment/${story.payments.executed}?part=story`,
      sign: 'Holds',
    },
    { name: 'inspect-now', place: `inspect/payment/${story.payments.denied}?part=now`, sign: 'Refusal' },
    { name: 'settings-account', place: 'settings/account', sign: 'Current password' },
    ...policyPlaces(story.policies[2]!.id, story.policies[1]!.id),
  ]
}

function policyPlaces(weekly: string, categories: string): Shown[] {
  const of = (part: string): string => `policies/${weekly}?part=${part}`
  return [
    { name: 'policies', place: 'policies', sign: 'A thousand a week' },
    { name: 'policy', place: `policies/${weekly}`, sign: 'a week' },
    { name: 'policy-new', place: 'policies/new', sign: 'Use template' },
    { name: 'policy-applies', place: of('applies'), sign: 'Research crawler' },
    { name: 'policy-dry-run', place: of('dry-run'), sign: 'Nothing is stored' },
    { name: 'policy-tests', place: `policies/${categories}?part=tests`, sign: 'A small bill for data' },
    { name: 'policy-versions', place: `${of('versions')}&from=1&to=2`, sign: 'Version 2 (current)' },
    {
      name: 'policy-edit',
      place: `policies/${weekly}/rules`,
      sign: 'Save as new version',
      act: async (page) => {
        await page.getByLabel('Amount in USDC').first().fill('150')
        await page.getByText('decisions would change').filter({ visible: true }).first().waitFor()
      },
    },
  ]
}
