// bursar org: shows the key's organization, and freezes or unfreezes it.
import { asking, type Shown } from './terminal/asking.js'
import { record } from './terminal/show.js'
import type { Organization } from '../../sdk/index.js'

const limitsIn = (limits: Organization['limits']): string => {
  const set = Object.entries(limits).filter(([, limit]) => limit !== null)
  return set.length === 0 ? 'none' : set.map(([name, limit]) => `${limit} ${name}`).join(', ')
}

const shown = (organization: Organization): Shown => ({
  json: organization,
  lines: (style) => {
    const { id, name, status, timezone, settlementMode, webhookUrl, governance, paymentTimeouts, limits } = organization
    const approvals = `approvals required: ${governance.requiredApprovals}, for ${governance.actions.join(', ')}`
    return record(
      {
        id,
        name,
        status,
        'time zone': timezone,
        settlement: settlementMode,
        'event URL': webhookUrl,
        governance: governance.enabled ? approvals : 'off',
        'execute within': `${paymentTimeouts.approvedMinutes} min`,
        'approve within': `${paymentTimeouts.approvalHours} h`,
        limits: limitsIn(limits),
      },
      style,
    )
  },
})

export const organizationCommands = {
  'org show': asking({
    usage: 'org show',
    summary: 'show the organization and its settings',
    run: async ({ bursar }) => shown(await bursar.organization.get()),
  }),
  'org freeze': asking({
    usage: 'org freeze REASON',
    summary: 'freeze the organization: no payment is executed',
    run: async ({ bursar, words: [reason] }) => shown((await bursar.organization.freeze(reason!)).organization),
  }),
  'org unfreeze': asking({
    usage: 'org unfreeze',
    summary: 'unfreeze the organization',
    run: async ({ bursar }) => shown((await bursar.organization.unfreeze()).organization),
  }),
}
