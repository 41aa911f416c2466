// The tags of operations, by what their paths begin with: they group the reference and generated clients. Operations of
// agents and of organizations on the same noun share one.

interface Tag {
  name: string
  description: string
}

/** In the order of the document. */
const TAGS: [name: string, segments: string[], description: string][] = [
  [
    'agents',
    ['agents', 'setup', 'limits', 'oauth'],
    'Agents with their keys, connected clients, delegations and policies, and what an agent is told of itself.',
  ],
  ['organization keys', ['api-keys'], 'Keys of the organization.'],
  ['wallets', ['wallets'], 'Wallets that agents pay from.'],
  ['cards', ['cards'], 'Payment cards that agents pay with.'],
  ['x402', ['x402'], 'Paying servers that ask for it with HTTP 402.'],
  ['payments', ['payments'], 'Asking for payments, executing and confirming them, and how they were decided.'],
  [
    'approvals',
    ['approval-requests', 'approval-workflows'],
    'Approval requests, and the workflows that determine their approvers.',
  ],
  ['governance', ['governance'], 'Changes that require the approval of a second person.'],
  ['transactions', ['transactions'], 'Payments that were executed.'],
  ['stats', ['stats'], 'What was asked for, denied and spent over a time, by agent, recipient and more.'],
  ['policies', ['policies', 'policy-templates'], 'Rules for payments, with their versions, tests and effects.'],
  ['audit log', ['audit-logs'], 'The chained record of every change, with checkpoints and proofs.'],
  ['machines', ['machines'], 'The statecharts behind it all, and their actors.'],
  ['inspect', ['inspect'], 'Machines at work.'],
  ['counterparties', ['counterparties'], 'Recipients of payments, and how far they are trusted.'],
  ['sanctions', ['sanctions'], 'The list of addresses that nothing is paid to.'],
  ['organization', ['organization', 'organizations'], 'The organization and its settings.'],
  ['members', ['members'], 'People of the organization.'],
  ['session', ['session'], 'Signing in and out.'],
  ['alerts', ['alerts'], 'What an organization should know without having asked.'],
  ['webhooks', ['webhooks'], 'The endpoint for events, and deliveries to it.'],
  ['channels', ['channels'], 'Notification channels: where people are told of alerts and approval requests.'],
  ['service', [], 'The service itself.'],
]

const BY_SEGMENT = new Map(TAGS.flatMap(([name, segments]) => segments.map((segment) => [segment, name] as const)))
const DESCRIPTIONS = new Map(TAGS.map(([name, , description]) => [name, description]))

/** `/api/sdk/payments/request` → `payments`; what is not under `/api` belongs to the service. */
export function tagOf(path: string): string {
  const [api, ...rest] = path.split('/').slice(1)
  if (api !== 'api') return 'service'
  const segment = (rest[0] === 'sdk' ? rest[1] : rest[0]) ?? ''
  return BY_SEGMENT.get(segment) ?? segment
}

/** The tags of these paths, described. */
export function tagsOf(paths: readonly string[]): Tag[] {
  const used = new Set(paths.map(tagOf))
  return [...DESCRIPTIONS].flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []))
}
