// The verbs of the audit log, by the action without its resource. A payment's own page tells its story with the same ones.
import { words } from '../format/words.js'

interface Verbs {
  [verb: string]: string
}

/** Followed by the object: “Ada approved …”. */
export const OBJECT_VERBS: Verbs = {
  activate: 'activated',
  acknowledge: 'acknowledged',
  add_rules: 'added rules to',
  admit: 'admitted to',
  approve: 'approved',
  archive: 'archived',
  assign: 'assigned',
  block: 'blocked',
  cancel: 'cancelled',
  change_password: 'changed the password of',
  clear_webhook: 'removed the webhook endpoint of',
  consume: 'used the one-time token of',
  create: 'created',
  delete: 'removed',
  deny: 'denied',
  edit_rule: 'edited a rule of',
  end: 'ended',
  expire: 'let expire',
  find: 'found unexplained transfers in',
  freeze: 'froze',
  fund: 'funded',
  invite: 'invited',
  issue: 'issued',
  issue_secret: 'issued the signing secret of',
  link: 'linked',
  outdate: 'found outdated',
  pause: 'paused',
  prove: 'proved the address of',
  reconcile: 'corrected the balance of',
  redeliver: 'sent a delivery again for',
  rehash: 'renewed the stored password of',
  remove: 'removed',
  remove_rule: 'removed a rule of',
  replace_rules: 'replaced the rules of',
  reset: 'reset the status of',
  reset_password: 'reset the password of',
  resolve: 'resolved',
  resume: 'resumed',
  reused: 'revoked, because its token was used twice,',
  revoke: 'revoked',
  rollback: 'rolled back',
  rotate_secret: 'rotated the signing secret of',
  set_alerts: 'set the alerts of',
  set_auto_freeze: 'set the automatic freeze of',
  set_up: 'set the password of',
  set_webhook: 'set the webhook endpoint of',
  settle: 'recorded the outcome of',
  suspend: 'froze',
  test: 'set the test cases of',
  trust: 'trusted',
  unassign: 'unassigned',
  unblock: 'unblocked',
  unfreeze: 'unfroze',
  unlink: 'unlinked',
  update: 'updated',
  upsert: 'named',
  verify: 'verified',
}

export const SESSION_VERBS: Verbs = {
  create: 'signed in',
  end: 'signed out',
  expire: 'was signed out: the session expired',
}

/** What somebody did with a payment, which follows. */
export const PAYMENT_VERBS: Verbs = {
  request: 'asked to pay',
  approve: 'approved',
  deny: 'denied',
  execute: 'asked to execute',
  attempt: 'tried to execute',
  permit: 'was allowed to pay',
  cancel: 'cancelled',
  release: 'released',
  confirm: 'reported having paid',
  charge: 'charged the card with',
  void: 'voided',
  delivery: 'reported a missing delivery for',
}

/** What happened to a payment, which precedes. */
export const PAYMENT_EVENTS: Verbs = {
  expire: 'expired',
  escalate: 'was escalated to the next approvers',
  signed: 'was signed',
  entrusted: 'was handed to the custody provider',
  accepted: 'was sent to the chain',
  unknown: 'may have been sent: it is being checked',
  replaced: 'was sent again with a higher fee',
  unmade: 'was not sent',
  reverted: 'failed on the chain',
  reorged: 'lost its block: it is awaited again',
  confirmed: 'was confirmed',
  settled: 'was paid by x402',
  final: 'is final',
  lapsed: 'expired',
}

export const verbOf = (action: string): string => action.slice(action.indexOf('.') + 1)

/** Also of an action that only an earlier version of the service recorded. */
export const phrased = (verbs: Verbs, action: string): string =>
  verbs[verbOf(action)] ?? `did ${words(verbOf(action)).toLowerCase()} with`
