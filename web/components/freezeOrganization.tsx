// Freezing all payments of the organization, and what is shown on every page while it is frozen.
import { api, type Answer } from '../api.js'
import { plural } from '../format/money.js'
import { useRead } from '../load.js'
import { textAfter } from '../payment/logged.js'
import { useMay, useSession, useSignedIn } from '../session.js'
import { Time, Who } from './amounts.js'
import { Confirm } from './dialog.js'
import { Notice } from './loadingStates.js'

interface Props {
  /** A shorter one where there is little room. */
  label?: string
  class?: string
}

/** Absent for those who may not freeze it, and while it is frozen. */
export function FreezeOrganization({ label = 'Freeze organization', class: look = '' }: Props) {
  const { name, status } = useSignedIn().organization
  const { refresh } = useSession()
  const may = useMay('MANAGER')
  if (!may || status === 'FROZEN') return null
  return (
    <Confirm
      label={label}
      about={name}
      icon="freeze"
      class={look}
      confirm="Freeze organization"
      title={`Freeze ${name}?`}
      danger
      reason
      act={(once, reason) => api.call('POST /api/organization/freeze', { body: { reason } }, once)}
      after={refresh}
      done={reportOf}
    >
      No payment of any agent is executed, not even an approved one, until the organization is unfrozen. Requests are
      still decided and recorded. What agents were already given to pay with cannot be called back.
    </Confirm>
  )
}

function reportOf({ auditSequence, outstanding = [] }: Answer<'POST /api/organization/freeze'>): string {
  const frozen = `The organization is frozen: no payment is executed after audit entry ${auditSequence}`
  if (outstanding.length === 0) return frozen
  return `${frozen}. ${plural(outstanding.length, 'signature')} given before can still be used`
}

const EVERY_MS = 30_000

export function FrozenNotice() {
  const { name, id, status } = useSignedIn().organization
  return status === 'FROZEN' ? <Frozen name={name} id={id} /> : null
}

function Frozen({ name, id: resourceId }: { name: string; id: string }) {
  const { refresh } = useSession()
  const may = useMay('ADMIN')
  const query = { resourceId, action: 'organization.freeze', limit: 1 } as const
  const [freeze] = useRead('GET /api/audit-logs', { query }, { everyMs: EVERY_MS }).data?.entries ?? []
  return (
    <Notice tone="danger">
      <div class="card-head">
        <span>
          <strong>{name} is frozen.</strong> No payment is executed until it is unfrozen.
          {freeze && (
            <>
              <br />
              Frozen by <Who by={freeze.actor} /> on <Time at={freeze.at} />:{' '}
              {textAfter(freeze.data, 'frozenFor') ?? 'no reason is recorded'}
            </>
          )}
        </span>
        {may && (
          <Confirm
            label="Unfreeze"
            about={name}
            title={`Unfreeze ${name}?`}
            act={(once) => api.call('POST /api/organization/unfreeze', {}, once)}
            after={refresh}
            done="Payments can be executed again"
          >
            Payments of all agents can be executed again, including those that were approved before.
          </Confirm>
        )}
      </div>
    </Notice>
  )
}
