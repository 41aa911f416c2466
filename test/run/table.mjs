// What belongs to what, as literal tables: the kinds of slow tests, and the tests of each noun. Paths are those of
// `test/`, of a folder or a file without its ending.

/** The folders of `test/slow` and what makes them slow; `npm test` leaves them out. */
export const SLOW = {
  chain: 'of a local chain',
  browser: 'in a browser',
  crash: 'of kills and power cuts',
  damage: 'of damaged files',
  cli: 'of commands in processes of their own',
  cluster: 'of replicated databases',
  package: 'of the package',
  python: 'of the SDK in Python',
  bench: 'of the bench',
  fuzz: 'of random requests and slow clients',
  size: 'of many records',
}

/**
 * What `npm test -- NOUN` picks beside the noun's folder in `test/interface/`. The name of any folder in `test/`,
 * `test/interface/` or `test/slow/` is such a word as well.
 */
export const NOUNS = {
  agents: ['interface/counterparties/agents', 'slow/browser/agents'],
  approvals: ['slow/browser/decisions', 'cli/approvals', 'sdk/approve'],
  audit: ['domain/merkle', 'domain/checkpoint', 'cli/audit', 'sdk/export', 'slow/size/auditExport'],
  channels: ['notifications'],
  counterparties: ['slow/size/counterparties', 'machines/counterparty'],
  delegations: ['domain/schedule', 'domain/windows', 'domain/sums'],
  governance: ['slow/browser/changes'],
  inspect: ['inspect', 'slow/browser/inspect'],
  money: ['domain/money', 'domain/sums', 'domain/tally', 'domain/funds', 'domain/exactJson', 'interface/amounts'],
  organizations: ['slow/browser/setup', 'slow/browser/session'],
  payments: [
    'interface/idempotency',
    'interface/policies/execution',
    'interface/policies/races',
    'interface/approvals/payments',
    'interface/approvals/external',
    'interface/counterparties/payments',
    'store/payments',
    'machines',
    'sdk/pay',
    'slow/chain',
    'slow/crash',
    'slow/size/payments',
    'slow/browser/reading',
  ],
  policies: ['rules', 'docs/policies', 'slow/browser/policies', 'slow/cli/apply'],
  wallets: ['interface/delegations', 'chain', 'slow/chain'],
  webhooks: ['webhooks', 'domain/token', 'sdk/webhook', 'sdk/firstSecret', 'slow/cli/webhook', 'slow/crash/deliveries'],
  x402: ['slow/browser/services', 'slow/chain/x402', 'slow/chain/x402Official'],
}
