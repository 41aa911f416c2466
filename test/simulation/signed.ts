// What is signed may be made, whatever anybody says: it is followed until it is made, or never can be.
import type { PaymentContext } from '../../machines/payment/chart.js'
import { kindOf, type Actor } from '../../src/actor/actor.js'
import { demand } from './violated.js'

const FOLLOWED = /^(transferring\.|transferred\.|executed$|failed$)/

export function signedIsFollowed(before: Actor | undefined, after: Actor): void {
  if (kindOf(after.ref) !== 'payment') return
  const signed = (before?.context as unknown as PaymentContext | undefined)?.transfers.length ?? 0
  demand('followed', signed === 0 || FOLLOWED.test(after.state), () => `${after.ref} is signed, and ${after.state}`)
}
