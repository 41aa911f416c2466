// The approval of a payment in sentences: whose approval it waits for, who decided, and after how long.
import { Fragment } from 'preact'
import { Named, Time, Who } from '../components/amounts.js'
import { plural } from '../format/money.js'
import { duration } from '../format/time.js'
import { useRole } from '../names.js'
import { approvalIn, type Logged, type LoggedApproval } from './logged.js'

interface WaitingProps {
  approval: LoggedApproval | undefined
  /** It was decided since. */
  isOver: boolean
}

export function WaitingSaid({ approval, isOver }: WaitingProps) {
  const { approverIds = [], requiredApprovals = 1 } = approval?.steps[approval.step] ?? {}
  return (
    <>
      {isOver ? 'Waited' : 'Waiting'} for {requiredApprovals === 1 ? 'approval' : plural(requiredApprovals, 'approval')}{' '}
      by{' '}
      {approverIds.length === 0
        ? 'an owner or admin'
        : approverIds.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ' or '}
              <Named type="APPROVER" id={id} />
            </Fragment>
          ))}
      {!isOver && approval && (
        <>
          . Expires <Time at={new Date(approval.expiresAt).toISOString()} as="relative" />
        </>
      )}
    </>
  )
}

interface DecidedProps {
  entry: Logged
  denied: boolean
  /** Where the approval request is shown. */
  path: string | undefined
}

export function ApprovalSaid({ entry: { data, actor, at }, denied, path }: DecidedProps) {
  const approval = approvalIn(data)
  const made = approval?.decisions.at(-1)
  const by = made?.by ?? actor
  const needed = approval?.steps[approval.step]?.requiredApprovals ?? 1
  const given = approval?.decisions.filter(({ decision }) => decision === 'APPROVED').length ?? 0
  return (
    <>
      {denied ? 'Denied' : 'Approved'} by <strong>{<Who by={by} />}</strong>
      {by.type === 'PERSON' && <Role of={by.id} />}
      {approval && ` after ${duration(Date.parse(at) - approval.createdAt)}`}
      {!denied && needed > 1 && `, ${given} of ${needed} approvals`}
      {made?.comment && `: “${made.comment}”`}
      {path && (
        <>
          {' '}
          · <a href={path}>approval request</a>
        </>
      )}
    </>
  )
}

function Role({ of: personId }: { of: string }) {
  const role = useRole(personId)
  return role === undefined ? null : <> ({role})</>
}
