// All places of the dashboard: the path in the hash, the page, which is loaded when it is opened, and the position in
// the navigation. A new page is a file in pages/ and a row here.
import type { ComponentType } from 'preact'
import type { PageProps } from './page.js'

type Load = () => Promise<{ default: ComponentType<PageProps> }>

export interface Route {
  /** Such as `payments/:id`. */
  pattern: string
  load: Load
  /** Its part of the navigation; absent if it is reached only from other pages. */
  group?: 'Work' | 'Control' | 'Organization'
  /** Its name in the navigation, where that is not the word of its path. */
  label?: string
  /** Also at the bottom of a phone. */
  onPhone?: true
}

/** In the navigation, a page has the icon of its path. */
export const ROUTES: readonly Route[] = [
  { pattern: '', load: () => import('./pages/overview.js'), group: 'Work', onPhone: true },
  {
    pattern: 'attention',
    load: () => import('./pages/attention.js'),
    group: 'Work',
    label: 'Needs attention',
    onPhone: true,
  },
  { pattern: 'welcome', load: () => import('./pages/welcome.js') },
  { pattern: 'approvals', load: () => import('./pages/approvals.js'), group: 'Work', onPhone: true },
  { pattern: 'approvals/:id', load: () => import('./pages/approval.js') },
  { pattern: 'alerts', load: () => import('./pages/alerts.js'), group: 'Work' },
  { pattern: 'alerts/:id', load: () => import('./pages/alert.js') },
  { pattern: 'payments', load: () => import('./pages/payments.js'), group: 'Work', onPhone: true },
  { pattern: 'payments/:id', load: () => import('./pages/payment.js') },
  { pattern: 'agents', load: () => import('./pages/agents.js'), group: 'Control', onPhone: true },
  { pattern: 'agents/:id', load: () => import('./pages/agent.js') },
  { pattern: 'wallets', load: () => import('./pages/wallets.js'), group: 'Control' },
  { pattern: 'wallets/:id', load: () => import('./pages/wallet.js') },
  { pattern: 'cards', load: () => import('./pages/cards.js'), group: 'Control' },
  { pattern: 'policies', load: () => import('./pages/policies.js'), group: 'Control' },
  { pattern: 'policies/new', load: () => import('./pages/policyNew.js') },
  { pattern: 'policies/:id', load: () => import('./pages/policy.js') },
  { pattern: 'policies/:id/rules', load: () => import('./pages/policyRules.js') },
  { pattern: 'counterparties', load: () => import('./pages/counterparties.js'), group: 'Control' },
  { pattern: 'counterparties/:id', load: () => import('./pages/counterparty.js') },
  { pattern: 'services', load: () => import('./pages/services.js'), group: 'Control' },
  { pattern: 'audit', load: () => import('./pages/audit.js'), group: 'Organization' },
  { pattern: 'webhooks', load: () => import('./pages/webhooks.js'), group: 'Organization' },
  { pattern: 'channels', load: () => import('./pages/channels.js'), group: 'Organization' },
  { pattern: 'connect', load: () => import('./pages/connect.js') },
  { pattern: 'slack', load: () => import('./pages/slackLink.js') },
  { pattern: 'settings', load: () => import('./pages/settings.js'), group: 'Organization' },
  { pattern: 'settings/:tab', load: () => import('./pages/settings.js') },
  { pattern: 'inspect', load: () => import('./pages/machines.js'), group: 'Organization' },
  { pattern: 'inspect/:machine', load: () => import('./pages/machine.js') },
  { pattern: 'inspect/:machine/:id', load: () => import('./pages/inspected.js') },
]

/** The page of set-up links; shown without the navigation, also to people who have not signed in. */
export const SETUP: Load = () => import('./pages/setup.js')
export const SIGN_IN: Load = () => import('./pages/signIn.js')
/** The sign-in form over a page whose session has ended. */
export const SIGN_IN_AGAIN: Load = () => import('./pages/signInAgain.js')
export const NOT_FOUND: Load = () => import('./pages/notFound.js')
