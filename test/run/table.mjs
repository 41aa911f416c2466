// What belongs to what, as literal tables: the kinds of slow tests, and the tests of each noun. Paths are those of
// `test/`, of a folder or a file without its ending.

/** The folders of `test/slow` and what makes them slow; `npm test` leaves them out. */
export const SLOW = {
  chain: 'of a local chain',
  browser: 'in a browser',
  crash: 'of kills and power cuts',
  damage: 'of damaged files',
  cli: 'of commands in processes of their own',
  package: 'of the package',
  bench: 'of the bench',
  size: 'of many records',
}

/** What `npm test -- NOUN` picks. The name of any folder in `test/` or `test/slow/` is such a word as well. */
export const NOUNS = {
  agents: ['interface/agents', 'interface/keys', 'counterparties/agents', 'slow/browser/agents'],
  approvals: ['approvals', 'slow/browser/decisions', 'cli/approvals', 'sdk/approve'],
  audit: ['audit', 'interface/audit', 'domain/merkle', 'domain/checkpoint', 'cli/audit', 'sdk/export'],
  counterparties: ['counterparties', 'slow/size/counterparties', 'machines/counterparty'],
  delegations: ['interface/delegations', 'interface/hours', 'domain/schedule', 'domain/windows', 'domain/sums'],
  governance: ['governance', 'slow/browser/changes'],
  money: ['domain/money', 'domain/sums', 'domain/tally', 'domain/funds', 'domain/exactJson', 'interface/amounts'],
  organizations: ['interface/organizations', 'interface/members', 'interface/roles', 'interface/sessions'],
  payments: [
    'service/payments',
    'service/idempotency',
    'service/parallel',
    'service/stops',
    'service/expiry',
    'service/refusals',
    'interface/idempotency',
    'interface/nearest',
    'interface/model',
    'interface/clock',
    'interface/receipts',
    'policies/execution',
    'policies/races',
    'approvals/payments',
    'approvals/external',
    'counterparties/payments',
    'store/payments',
    'machines',
    'sdk/pay',
    'slow/chain',
    'slow/crash',
    'slow/browser/reading',
  ],
  policies: ['policies', 'rules', 'docs/policies', 'slow/browser/policies', 'slow/cli/apply'],
  wallets: ['interface/wallets', 'interface/delegations', 'chain', 'slow/chain'],
  webhooks: ['webhooks', 'domain/token', 'sdk/webhook', 'sdk/firstSecret', 'slow/cli/webhook'],
}
