// What is signed for x402 and not paid yet: no freeze can call it back.
import { agentPaymentsOf } from '../../../../machines/payment/lists.js'
import { paymentsOf } from '../../../domain/payment/lists.js'
import type { Actor } from '../../../actor/actor.js'
import { isX402 } from '../../../domain/payment/terms.js'
import type { List } from '../../../domain/values/lists.js'
import { isPermitted } from '../../status.js'
import type { Services } from '../../ports.js'

/** The latest payments of each list that are looked through, so that the work stays bounded. */
const LOOKED_AT = 10_000
const AT_A_TIME = 100

/** Those the service signed, and those that the holder of an external wallet may have signed. */
const LISTS = ['transferring', 'approved']

/** Of an agent, or of the whole organization; the latest first. */
export async function outstandingSignatures(
  services: Services,
  { organization, agentId }: { organization: string; agentId?: string },
): Promise<Actor<'payment'>[]> {
  const found: Actor<'payment'>[] = []
  for (const name of LISTS) {
    const list = agentId === undefined ? paymentsOf(organization, name) : agentPaymentsOf(agentId, name)
    found.push(...(await outstandingIn(services, list)))
  }
  return found
}

async function outstandingIn({ query, now }: Services, list: List<'payment'>): Promise<Actor<'payment'>[]> {
  const found: Actor<'payment'>[] = []
  let cursor: string | undefined
  for (let seen = 0; seen < LOOKED_AT; seen += AT_A_TIME) {
    const page = await query.page({ list, limit: AT_A_TIME, offset: 0, cursor })
    found.push(...(page?.actors ?? []).filter((payment) => isOutstanding(payment, now())))
    cursor = page?.nextCursor
    if (cursor === undefined) break
  }
  return found
}

/** An authorized payment leaves its list when it is paid or void; a permit stays in its own. */
function isOutstanding(payment: Actor<'payment'>, now: number): boolean {
  const { terms, permit } = payment.context
  if (!isX402(terms!) || permit === null) return false
  return !isPermitted(payment) || now < permit.expiresAt
}
