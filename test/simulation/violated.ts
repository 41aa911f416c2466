// The invariants of the simulation, each with the message that reports its violation.

const INVARIANTS = {
  limit: 'no turn raises a sum above its limit',
  sums: 'sums equal those of the rows',
  balance: 'a balance is never negative and covers what is held',
  closed: 'a closed row stays closed',
  rows: 'the rows of a payment at rest agree with its state',
  once: 'a payment is executed at most once',
  acknowledged: 'an acknowledged state stays, or moves on as it may',
  border: 'nothing crosses from one organization to another',
  barred: 'no gate captures after it was acknowledged as paused, frozen, revoked or blocked',
  causes: 'every denial has a reason',
  asked: 'a payment that needs a person is executed only after enough approvals, and each request has one outcome',
  time: 'nothing expires early, and no command is accepted after the time',
  names: 'a claim has one owner, and whoever has a name owns its claim',
  versions: 'the versions of a policy follow one after another',
  quiet: 'at rest nobody waits, and every hold belongs to a living payment',
} as const

export type Invariant = keyof typeof INVARIANTS

export class Violated extends Error {
  override name = 'Violated'

  constructor(
    readonly invariant: Invariant,
    detail: string,
  ) {
    super(`${INVARIANTS[invariant]}: ${detail}`)
  }
}
