// What can be found broken, and how it is said.

export const INVARIANTS = {
  limit: 'no turn raises a sum above its limit',
  sums: 'sums equal what the rows say',
  balance: 'a balance is never negative and covers what is held',
  closed: 'a row that is closed stays closed',
  rows: 'the rows of a payment at rest agree with its state',
  once: 'a payment is executed at most once',
  acknowledged: 'what was acknowledged stays true or lawfully moves on',
  border: 'nothing crosses from one organization to another',
  barred: 'no gate captures after it was acknowledged as paused, frozen, revoked or blocked',
  causes: 'whoever is denied is told why',
  asked: 'what needs a person is executed only when enough have approved it, and each request has one outcome',
  time: 'nothing expires before its time, and nothing is taken up after it',
  names: 'a claim has one owner, and who bears a name owns its claim',
  versions: 'the versions of a policy follow one after another',
  quiet: 'when all is quiet nobody waits and no hold is left that no living payment owns',
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
