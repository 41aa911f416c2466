// The actions on a counterparty: trusting and blocking with a reason, editing, removing.
import { api } from '../api.js'
import type { Counterparty } from '../records.js'
import { go, to } from '../router.js'
import { useMay } from '../session.js'
import { CounterpartyForm } from './counterpartyForm.js'
import { Confirm, Opening } from './dialog.js'
import type { Once } from './form.js'

interface Props {
  of: Counterparty
  reload: () => void
}

export function CounterpartyActions({ of, reload }: Props) {
  const { id: counterpartyId, name, status } = of
  if (!useMay('MANAGER')) return null
  const edited = (close: () => void) => (): void => {
    reload()
    close()
  }
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/counterparties/{counterpartyId}', { path: { counterpartyId } })
    go(to('counterparties'))
    return `${name} was removed`
  }
  return (
    <>
      <Opening label="Edit" title={`Edit ${name}`}>
        {(close) => <CounterpartyForm of={of} onDone={edited(close)} />}
      </Opening>
      {(status === 'UNKNOWN' || status === 'VERIFIED') && <Trust of={of} reload={reload} />}
      {status === 'BLOCKED' ? <Unblock of={of} reload={reload} /> : <Block of={of} reload={reload} />}
      <Confirm label="Remove" class="danger" title={`Remove ${name}?`} confirm="Remove" danger act={remove}>
        Its payments stay in the history, and its address stays blocked if it is. A later payment adds it again.
      </Confirm>
    </>
  )
}

function Trust({ of: { id: counterpartyId, name }, reload }: Props) {
  const act = async (once: Once, reason: string): Promise<string> => {
    const parts = { path: { counterpartyId }, body: { reason } }
    await api.call('POST /api/counterparties/{counterpartyId}/trust', parts, once)
    reload()
    return `${name} is trusted`
  }
  return (
    <Confirm label="Trust" title={`Trust ${name}?`} confirm="Trust" reason act={act}>
      Agents restricted to trusted recipients may pay it. Limits and policies still apply.
    </Confirm>
  )
}

function Block({ of: { id: counterpartyId, name }, reload }: Props) {
  const act = async (once: Once, reason: string): Promise<string> => {
    const parts = { path: { counterpartyId }, body: { reason } }
    await api.call('POST /api/counterparties/{counterpartyId}/block', parts, once)
    reload()
    return `${name} is blocked`
  }
  return (
    <Confirm label="Block" class="danger" title={`Block ${name}?`} confirm="Block" danger reason act={act}>
      Every payment to its address is denied, including approved ones. The address stays blocked until someone unblocks
      it.
    </Confirm>
  )
}

function Unblock({ of: { id: counterpartyId, name }, reload }: Props) {
  const act = async (once: Once): Promise<string> => {
    await api.call('POST /api/counterparties/{counterpartyId}/unblock', { path: { counterpartyId } }, once)
    reload()
    return `${name} is no longer blocked`
  }
  return (
    <Confirm label="Unblock" title={`Unblock ${name}?`} confirm="Unblock" act={act}>
      Policies decide payments to it again. Its status becomes Unknown, not Trusted.
    </Confirm>
  )
}
