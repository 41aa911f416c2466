// The actions on a counterparty: trusting and blocking with a reason, editing, removing.
import { api } from '../api.js'
import type { Counterparty } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'
import { EditCounterparty } from './counterpartyForm.js'
import { Confirm, Opening } from './dialog.js'

export function CounterpartyActions({ of, reload }: { of: Counterparty; reload: () => void }) {
  const { id: counterpartyId, name, status } = of
  const path = { counterpartyId }
  if (!useMay('MANAGER')) return null
  return (
    <>
      <Opening label="Edit" title={`Edit ${name}`}>
        <EditCounterparty of={of} onDone={reload} />
      </Opening>
      {(status === 'UNKNOWN' || status === 'VERIFIED') && (
        <Confirm
          label="Trust"
          title={`Trust ${name}?`}
          reason
          act={(once, reason) =>
            api.call('POST /api/counterparties/{counterpartyId}/trust', { path, body: { reason } }, once)
          }
          after={reload}
          done={`${name} is trusted`}
        >
          Agents restricted to trusted recipients may pay it. Limits and policies still apply.
        </Confirm>
      )}
      {status === 'BLOCKED' ? (
        <Confirm
          label="Unblock"
          title={`Unblock ${name}?`}
          act={(once) => api.call('POST /api/counterparties/{counterpartyId}/unblock', { path }, once)}
          after={reload}
          done={`${name} is no longer blocked`}
        >
          Policies decide payments to it again. Its status becomes Unknown, not Trusted.
        </Confirm>
      ) : (
        <Confirm
          label="Block"
          title={`Block ${name}?`}
          danger
          reason
          act={(once, reason) =>
            api.call('POST /api/counterparties/{counterpartyId}/block', { path, body: { reason } }, once)
          }
          after={reload}
          done={`${name} is blocked`}
        >
          Every payment to its address is denied, including approved ones. The address stays blocked until someone
          unblocks it.
        </Confirm>
      )}
      <Confirm
        label="Remove"
        title={`Remove ${name}?`}
        danger
        act={() => api.call('DELETE /api/counterparties/{counterpartyId}', { path })}
        after={() => go(to('counterparties'))}
        done={`${name} was removed`}
      >
        Its payments stay in the history, and its address stays blocked if it is. A later payment adds it again.
      </Confirm>
    </>
  )
}
