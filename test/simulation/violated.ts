// The invariants of the simulation, each with the message that reports its violation.

const INVARIANTS = {
  limit: 'no command raises a sum above its limit',
  sums: 'the holds of all payments add up to what each gate counts',
  balance: 'a balance is never negative and covers what is held',
  holds: 'a payment has at each gate what its state declares, and keeps nothing once it has ended',
  once: 'a payment is executed at most once, and says so exactly once',
  acknowledged: 'what was answered stays, or moves on as it may, and outlasts a restart',
  border: 'nothing crosses from one organization to another',
  barred: 'no gate captures while it is paused, frozen, revoked or blocked',
  causes: 'every denial has a reason',
  asked: 'a payment that needs a person is executed only after enough approvals, and each request has one outcome',
  approvers: 'only an approver decides, and on the request that is open',
  permitted: 'what an agent may pay by itself ends by its word, or by an administrator',
  current: 'what was made for an earlier state of a payment changes nothing',
  time: 'nothing expires early, and no command is accepted after the time',
  names: 'a key has one owner, and whoever has a name owns its key',
  versions: 'the versions of a policy follow one after another',
  nothing: 'a conflict and a dropped attempt change nothing, and what an attempt promises its commit has',
  stats: 'the statistics are the sums of all payments',
  quiet: 'at the end nobody waits',
  access: 'only who has access, and may do it, is answered',
  repeats: 'a repeated request has the first answer, byte for byte',
  governed: 'what is governed is done once enough others approved it, as they saw it, and not before',
  kept: 'settings are as the last answer said',
  workflow: 'a payment is decided on by whom the workflows of its time name',
  money: 'a wallet has what was funded and not spent, and holds what is on its way',
  purchase: 'a purchase is paid once',
  signed: 'one attempt has one signature, and what was not paid in time is given back',
  token: 'a permit opens the payment that it was given for, and no other',
  followed: 'a transfer that may be made is followed, and a payment is executed where the chain has its transfer',
  log: 'the audit log is whole, names who did what, and explains every state',
  delivered: 'each event is told once, is kept until it is delivered, and comes in the order of its payment',
  alerts: 'a cause raises one alert, which counts it until it is resolved',
  works: 'no command fails',
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

export function demand(invariant: Invariant, holds: boolean, detail: () => string): asserts holds {
  if (!holds) throw new Violated(invariant, detail())
}
