// The last owner stays: without one, nobody could manage the members any more.
import { ownersOf } from '../../../machines/member.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { Services } from '../ports.js'

export const LAST_OWNER = 'The last owner stays: make another member an owner first'

/**
 * Serializes changes to owners by organization: of two changes at once, each could take the other's owner for the one
 * that stays.
 */
export const ownersInTurn = keyedMutex()

/** Whether nobody would be left who is an owner. An invited owner may never sign in, and does not count. */
export function leavesNoOwner({ query, host }: Services, organization: string, leaving: readonly Ref[]): boolean {
  const owners = query.refs(ownersOf(organization))
  const isActive = (ref: Ref): boolean => host.peek(ref)?.state === 'active'
  const gone = owners.filter((ref) => leaving.includes(ref))
  const staying = owners.filter((ref) => !leaving.includes(ref))
  return gone.length > 0 && !staying.some(isActive) && (staying.length === 0 || gone.some(isActive))
}
