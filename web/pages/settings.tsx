// The settings of the organization, one tab for each topic, and the person's own password.
import type { ComponentType } from 'preact'
import { Page } from '../components/page.js'
import { Tabs } from '../components/tabs.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { Account } from '../settings/account.js'
import { AlertSettings } from '../settings/alerts.js'
import { Governance } from '../settings/governance.js'
import { Keys } from '../settings/keys.js'
import { General } from '../settings/general.js'
import { Limits } from '../settings/limits.js'
import { Members } from '../settings/members.js'
import { Workflows } from '../settings/workflows.js'

const TABS: [id: string, label: string, content: ComponentType][] = [
  ['general', 'General', General],
  ['members', 'Members', Members],
  ['keys', 'Keys', Keys],
  ['workflows', 'Approval workflows', Workflows],
  ['governance', 'Governance', Governance],
  ['alerts', 'Alerts', AlertSettings],
  ['limits', 'Rate limits', Limits],
  ['account', 'Account', Account],
]

export default function Settings({ params }: PageProps) {
  const [current, , Content] = TABS.find(([id]) => id === params['tab']) ?? TABS[0]!
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        current={current}
        of={TABS.map(([id, label]) => [id, label])}
        href={(id) => to('settings', id)}
      />
      <Content />
    </Page>
  )
}
