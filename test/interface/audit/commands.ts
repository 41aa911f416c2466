// Commands of every kind, in one order under a clock that stands still, and what the audit log then has of them: with
// placeholders for ids, hashes and addresses.
import { readableRaw, type RawEntry } from '../../../src/domain/audit/forms.js'
import { canonicalJson, type Json } from '../../../src/domain/values/canonical.js'
import { ORGANIZATION_KEY, type Scope } from '../../support/process.js'
import { newPerson } from '../../support/people.js'
import { start, type Started } from '../../support/service.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const VENDOR = '0x00000000000000000000000000000000000000a1'
const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const NEEDS_PERSON = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }
const MOST = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 500 }
const BUDGET = { ruleType: 'BUDGET_CAP', value: { amount: 5_000, period: 'MONTHLY', of: 'POLICY' } }
const HASH = `0x${'ab'.repeat(32)}`

export interface Recorded {
  action: string
  resource: string
  resourceId: string
  by: string
  data: { [field: string]: Json }
}

export interface Answered {
  command: string
  status: number
}

export interface Log {
  answers: Answered[]
  entries: Recorded[]
}

/** `{name}` in path and body stands for what an answer had; `keep` names fields of the answer to be known from then on. */
interface Command {
  by?: 'owner' | 'ada' | 'bob' | 'person'
  keep?: { [name: string]: string }
  /** Moves the clock before it. */
  afterMs?: number
}
type Given = [method: string, path: string, body?: object | undefined, command?: Command]

const pay = (amount: number, more: object = {}): object => ({ amount, recipientAddress: VENDOR, ...more })
const asked = (name: string): Command => ({ by: 'ada', keep: { [name]: 'requestId' } })
const waiting = (name: string): Command => {
  return { by: 'ada', keep: { [name]: 'requestId', [`${name}Approval`]: 'approvalRequestId' } }
}
const ADA: Command = { by: 'ada' }
const BOB: Command = { by: 'bob' }
const PERSON: Command = { by: 'person' }
const decided = (decision: string): object => ({ decision, comment: 'Seen' })

const AGENTS: Given[] = [
  ['POST', '/api/agents', { name: 'Ada', agentType: 'CUSTOM' }, { keep: { ada: 'id' } }],
  ['POST', '/api/agents', { name: 'Bob', agentType: 'CUSTOM', description: 'Buys' }, { keep: { bob: 'id' } }],
  ['POST', '/api/agents', { name: 'Bob', agentType: 'CUSTOM' }],
  ['PATCH', '/api/agents/{ada}', { name: 'Ada L.', description: 'Counts', status: 'PAUSED' }],
  ['PATCH', '/api/agents/{ada}', { name: 'Bob' }],
  ['PATCH', '/api/agents/{ada}', { status: 'ACTIVE' }],
  ['POST', '/api/agents/{ada}/freeze', { reason: 'Drill' }],
  ['POST', '/api/agents/{ada}/unfreeze'],
  ['PATCH', '/api/agents/{bob}', { callbackUrl: 'https://events.example.com/bob' }],
  ['PATCH', '/api/agents/{bob}', { status: 'SUSPENDED' }],
  ['PATCH', '/api/agents/{bob}', { status: 'ACTIVE' }],
]
const WALLETS: Given[] = [
  ['POST', '/api/wallets', { name: 'Funds', custodyType: 'MANAGED' }, { keep: { funds: 'id' } }],
  [
    'POST',
    '/api/wallets',
    { name: 'Own', custodyType: 'EXTERNAL', address: `0x${'0'.repeat(38)}e1` },
    { keep: { own: 'id', sender: 'address', chain: 'chainId' } },
  ],
  ['POST', '/api/wallets', { name: 'Again', custodyType: 'EXTERNAL', address: `0x${'0'.repeat(38)}e1` }],
  ['POST', '/api/wallets/{funds}/fund', { amount: 4_000 }],
  ['POST', '/api/wallets/{own}/fund', { amount: 1_000 }],
  ['PATCH', '/api/wallets/{funds}', { name: 'Funds of Ada' }],
  ['PATCH', '/api/wallets/{funds}', { status: 'FROZEN' }],
  ['PATCH', '/api/wallets/{funds}', { status: 'ACTIVE' }],
  [
    'POST',
    '/api/agents/{ada}/wallets',
    { walletId: '{funds}', spendLimitDaily: 3_000, spendLimitPerTx: 1_000, allowedDays: EVERY_DAY },
  ],
  ['POST', '/api/agents/{ada}/wallets', { walletId: '{funds}' }],
  ['POST', '/api/agents/{bob}/wallets', { walletId: '{own}', delegationType: 'FULL', allowedDays: EVERY_DAY }],
  ['PATCH', '/api/agents/{ada}/wallets/{funds}', { spendLimitWeekly: 9_000 }],
]
const ACCESS: Given[] = [
  ['POST', '/api/agents/{ada}/sdk-keys', { name: 'Key' }, { keep: { adaKey: 'key' } }],
  ['POST', '/api/agents/{bob}/sdk-keys', { name: 'Key' }, { keep: { bobKey: 'key' } }],
  ['POST', '/api/agents/{ada}/sdk-keys', { name: 'Spare', expiresInDays: 3 }, { keep: { spare: 'id' } }],
  ['DELETE', '/api/agents/{ada}/sdk-keys?keyId={spare}'],
  ['POST', '/api/api-keys', { name: 'Reader', scopePreset: 'READ_ONLY' }, { keep: { reader: 'id' } }],
  ['DELETE', '/api/api-keys?keyId={reader}'],
  ['POST', '/api/members', { email: 'eve@example.com', role: 'VIEWER', name: 'Eve' }, { keep: { eve: 'id' } }],
  ['POST', '/api/members', { email: 'eve@example.com', role: 'ADMIN' }],
  ['PATCH', '/api/members/{eve}', { role: 'ADMIN' }],
  ['DELETE', '/api/members/{eve}'],
]
const POLICIES: Given[] = [
  ['POST', '/api/counterparties', { name: 'Shop', address: `0x${'0'.repeat(38)}b7` }, { keep: { shop: 'id' } }],
  ['PUT', '/api/counterparties/{shop}', { category: 'CLOUD_SERVICES', notes: 'New' }],
  ['POST', '/api/counterparties/{shop}/trust', { reason: 'Known' }],
  ['POST', '/api/counterparties/{shop}/block', { reason: 'Fraud' }],
  ['POST', '/api/counterparties/{shop}/unblock'],
  [
    'POST',
    '/api/policies',
    { name: 'Limits', policyType: 'COMPOSITE', rules: [NEEDS_PERSON, MOST], agentIds: ['{ada}'] },
    { keep: { policy: 'id' } },
  ],
  ['PATCH', '/api/policies/{policy}', { priority: 7 }],
  ['PUT', '/api/policies/{policy}/rules', { rules: [NEEDS_PERSON, MOST, BUDGET] }],
  ['POST', '/api/approval-workflows', { name: 'Two', priority: 1 }, { keep: { workflow: 'id' } }],
  ['DELETE', '/api/approval-workflows/{workflow}'],
]
const PAYMENTS: Given[] = [
  ['POST', '/api/sdk/payments/request', pay(10), asked('plain')],
  ['POST', '/api/sdk/payments/{plain}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/{plain}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(20, { autoExecute: true, purpose: 'Paper', idempotencyKey: 'one' }), ADA],
  ['POST', '/api/sdk/payments/request', pay(20, { autoExecute: true, purpose: 'Paper', idempotencyKey: 'one' }), ADA],
  ['POST', '/api/sdk/payments/request', pay(501), ADA],
  ['POST', '/api/sdk/payments/request', pay(30), asked('dropped')],
  ['POST', '/api/sdk/payments/{dropped}/cancel', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(40), asked('released')],
  ['POST', '/api/payments/{released}/release', { reason: 'Not needed' }],
  ['POST', '/api/sdk/payments/request', pay(50), asked('stopped')],
  ['PATCH', '/api/wallets/{funds}', { status: 'FROZEN' }],
  ['POST', '/api/sdk/payments/{stopped}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/{stopped}/execute', undefined, ADA],
  ['PATCH', '/api/wallets/{funds}', { status: 'ACTIVE' }],
  ['POST', '/api/sdk/payments/{stopped}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(60), asked('lowered')],
  ['PATCH', '/api/agents/{ada}/wallets/{funds}', { spendLimitPerTx: 55 }],
  ['POST', '/api/sdk/payments/{lowered}/execute', undefined, ADA],
  ['PATCH', '/api/agents/{ada}/wallets/{funds}', { spendLimitPerTx: 1_000 }],
]
const APPROVALS: Given[] = [
  ['POST', '/api/sdk/payments/request', pay(150), waiting('agreed')],
  ['POST', '/api/approval-requests/{agreedApproval}/decision', decided('APPROVED')],
  ['POST', '/api/sdk/payments/{agreed}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(160), waiting('refused')],
  ['POST', '/api/approval-requests/{refusedApproval}/decision', decided('DENIED'), PERSON],
  ['POST', '/api/sdk/payments/request', pay(170, { autoExecute: true }), waiting('atOnce')],
  ['POST', '/api/approval-requests/{atOnceApproval}/decision', decided('APPROVED')],
  ['POST', '/api/sdk/payments/request', pay(180, { autoExecute: true }), waiting('halted')],
  ['POST', '/api/organization/freeze', { reason: 'Look' }],
  ['POST', '/api/approval-requests/{haltedApproval}/decision', decided('APPROVED')],
  ['POST', '/api/organization/unfreeze'],
  ['POST', '/api/sdk/payments/{halted}/execute', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(190), waiting('withdrawn')],
  ['POST', '/api/sdk/payments/{withdrawn}/cancel', undefined, ADA],
  ['POST', '/api/sdk/payments/request', pay(70), asked('late')],
  ['POST', '/api/sdk/payments/request', pay(80), asked('asksNow')],
  ['PUT', '/api/policies/{policy}/rules', { rules: [{ ...NEEDS_PERSON, value: 75 }, MOST, BUDGET] }],
  ['POST', '/api/sdk/payments/{asksNow}/execute', undefined, ADA],
  ['GET', '/api/sdk/payments/{late}', undefined, { by: 'ada', afterMs: 10 * 60_000 }],
  [
    'POST',
    '/api/sdk/payments/approve',
    pay(5, { senderAddress: '{sender}', chainId: '{chain}' }),
    { by: 'bob', keep: { permit: 'approvalId', token: 'approvalToken' } },
  ],
  ['POST', '/api/sdk/payments/{permit}/confirm', { txHash: HASH, approvalToken: '{token}' }, BOB],
  [
    'POST',
    '/api/sdk/payments/approve',
    pay(6, { senderAddress: '{sender}', chainId: '{chain}' }),
    { by: 'bob', keep: { other: 'approvalId', otherToken: 'approvalToken' } },
  ],
  ['POST', '/api/sdk/payments/{other}/confirm', { txHash: HASH, approvalToken: '{otherToken}' }, BOB],
  ['POST', '/api/payments/{other}/release', { reason: 'Never paid' }],
]
const ENDINGS: Given[] = [
  ['PUT', '/api/webhooks', { url: 'https://events.example.com/all' }],
  ['POST', '/api/webhooks/rotate-secret'],
  ['DELETE', '/api/webhooks'],
  [
    'PATCH',
    '/api/organization',
    { governance: { enabled: true, actions: ['policy.create', 'agent.reactivate'], requiredApprovals: 1 } },
  ],
  [
    'POST',
    '/api/policies',
    { name: 'Late', policyType: 'COMPOSITE', rules: [MOST] },
    { keep: { change: 'governanceApprovalRequestId' } },
  ],
  ['POST', '/api/approval-requests/{change}/decision', decided('APPROVED'), PERSON],
  [
    'POST',
    '/api/policies',
    { name: 'Never', policyType: 'COMPOSITE', rules: [MOST] },
    { keep: { never: 'governanceApprovalRequestId' } },
  ],
  ['POST', '/api/approval-requests/{never}/decision', decided('DENIED'), PERSON],
  ['POST', '/api/agents/{bob}/freeze', { reason: 'Drill' }],
  [
    'PATCH',
    '/api/agents/{bob}',
    { status: 'ACTIVE', name: 'Robert' },
    { keep: { back: 'governanceApprovalRequestId' } },
  ],
  ['POST', '/api/agents/{bob}/freeze', { reason: 'Key leaked' }],
  ['POST', '/api/approval-requests/{back}/decision', decided('APPROVED'), PERSON],
  ['POST', '/api/sdk/payments/{asksNow}/cancel', undefined, ADA],
  ['DELETE', '/api/agents/{ada}/policies?policyId={policy}'],
  ['DELETE', '/api/agents/{ada}/wallets?walletId={funds}'],
  ['DELETE', '/api/wallets/{funds}'],
  ['DELETE', '/api/policies/{policy}'],
  ['PATCH', '/api/agents/{ada}', { status: 'REVOKED' }],
  ['PATCH', '/api/agents/{ada}', { status: 'ACTIVE' }],
  ['DELETE', '/api/agents/{bob}'],
  ['DELETE', '/api/wallets/{own}'],
]
const COMMANDS = [...AGENTS, ...WALLETS, ...ACCESS, ...POLICIES, ...PAYMENTS, ...APPROVALS, ...ENDINGS]

/** Carries out all commands on a new service, and shows each entry in its raw form. */
export async function runCommands(scope: Scope, onEntry: (entry: RawEntry) => void = () => {}): Promise<Log> {
  const { now } = Date
  // The clock of the service adds its offset to it.
  Date.now = () => NOON
  scope.teardown(() => void (Date.now = now))
  const service = await start(scope, { at: NOON })
  const known: { [name: string]: string } = { owner: ORGANIZATION_KEY }
  known['person'] = (await newPerson(service.client, 'OWNER')).cookie
  const answers: Answered[] = []
  for (const given of COMMANDS) answers.push(await carryOut(service, known, given))
  return { answers, entries: await entriesOf(service, onEntry) }
}

const KEYS = { owner: 'owner', ada: 'adaKey', bob: 'bobKey', person: 'person' }

async function carryOut(service: Started, known: { [name: string]: string }, given: Given): Promise<Answered> {
  const [method, path, body, { by = 'owner', keep = {}, afterMs }] = [given[0], given[1], given[2], given[3] ?? {}]
  if (afterMs !== undefined) service.setClock(service.now() + afterMs)
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all)
  const sent = body && (JSON.parse(filled(JSON.stringify(body))) as object)
  const key = known[KEYS[by]]!
  const answer = await service.client.send<{ [field: string]: string }>(method, filled(path), key, sent, {
    Origin: service.url,
  })
  for (const [name, field] of Object.entries(keep)) {
    const value = answer.body?.[field]
    if (value === undefined) throw new Error(`${method} ${path} gives no ${field}: ${JSON.stringify(answer.body)}`)
    known[name] = value
  }
  return { command: `${method} ${path}`, status: answer.status }
}

/** The whole log, oldest first, as people read its export. */
async function entriesOf({ client }: Started, onEntry: (entry: RawEntry) => void): Promise<Recorded[]> {
  const { body } = await client.get<string>('/api/audit-logs/export', ORGANIZATION_KEY)
  const lines = body.trimEnd().split('\n')
  return lines.map((line) => {
    const entry = JSON.parse(line) as RawEntry
    onEntry(entry)
    const { action, resource, resourceId, actor, data } = readableRaw(entry)
    return { action, resource, resourceId, by: actor.type, data: data as Recorded['data'] }
  })
}

/**
 * What differs from run to run: ids, addresses, hashes and the visible part of keys; and placeholders, which are numbered
 * anew.
 */
const RANDOM = new RegExp(
  [
    String.raw`#\d+\b`,
    String.raw`\b(?:tx_|cpty_)?c[a-z0-9]{24}\b`,
    String.raw`\b0x[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?\b`,
    String.raw`\b[0-9a-f]{64}\b`,
    String.raw`\bservice_(?:agent_)?[0-9A-Za-z]{6}\b`,
  ].join('|'),
  'g',
)

/** The entries with `#1`, `#2` … in place of what is random, in order of appearance. */
export function withPlaceholders(entries: readonly Recorded[]): Recorded[] {
  const names = new Map<string, string>()
  const named = (value: string): string => {
    const name = names.get(value) ?? `#${names.size + 1}`
    names.set(value, name)
    return name
  }
  // Canonical, because the order of appearance must not depend on that of the fields.
  return entries.map((entry) => JSON.parse(canonicalJson(entry as unknown as Json).replace(RANDOM, named)) as Recorded)
}
