// Acknowledging and resolving an alert.
import { api } from '../api.js'
import type { Alert } from '../records.js'
import { useMay } from '../session.js'
import { SendButton } from './button.js'
import { Confirm } from './dialog.js'
import { useSending } from './form.js'

export function AlertActions({ of: { id, status, title }, reload }: { of: Alert; reload: () => void }) {
  const path = { alertId: id }
  const acknowledging = useSending(async (once) => {
    await api.call('POST /api/alerts/{alertId}/acknowledge', { path }, once)
    reload()
    return 'The alert was acknowledged'
  })
  if (!useMay('MANAGER') || status === 'RESOLVED') return null
  return (
    <>
      {status === 'ACTIVE' && <SendButton sending={acknowledging} label="Acknowledge" about={title} />}
      <Confirm
        label="Resolve"
        about={title}
        class="primary"
        title={`Resolve “${title}”?`}
        act={(once) => api.call('POST /api/alerts/{alertId}/resolve', { path }, once)}
        after={reload}
        done="The alert was resolved"
      >
        If its cause comes again, a new alert is raised.
      </Confirm>
    </>
  )
}
