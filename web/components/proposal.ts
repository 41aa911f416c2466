// What a pending change would do: the objects it names, their current state, and the state it would lead to. It does
// not evaluate anything.
import { api, unlessRemoved } from '../api.js'
import type { Principal } from '../names.js'
import { readRule, type Rule, type WrittenRule } from '../policies/ruleTypes.js'
import type { ChangeApproval } from '../records.js'
import { isFields, type Fields } from './anyValue.js'
import { readMember } from './member.js'

export interface Proposal {
  /** The people and objects that the request names, apart from its content. */
  about: [label: string, of: Principal][]
  /** The current state of its subject; undefined if it does not exist yet or the request is already decided. */
  before: Fields | undefined
  /** The fields in the request, with their new values; undefined if it removes its subject. */
  after: Fields | undefined
}

/** Rejects if the subject cannot be read; a subject that was removed meanwhile is undefined. */
export async function readProposal(approval: ChangeApproval): Promise<Proposal> {
  const before = approval.status === 'PENDING' ? await unlessRemoved(currentOf(approval)) : undefined
  return { about: namedIn(approval), before, after: await afterOf(approval, before) }
}

async function currentOf(approval: ChangeApproval): Promise<Fields | undefined> {
  const { action, resource, resourceId: id, change } = approval
  if (action === 'webhook.update' && resource !== 'agent') return api.call('GET /api/webhooks', {})
  if (resource === 'organization') return api.call('GET /api/organization', {})
  if (id === null) return undefined
  if (resource === 'policy') return api.call('GET /api/policies/{policyId}', { path: { policyId: id } })
  if (resource === 'agent') return api.call('GET /api/agents/{agentId}', { path: { agentId: id } })
  if (resource === 'counterparty') {
    return api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId: id } })
  }
  if (resource === 'workflow') return api.call('GET /api/approval-workflows/{workflowId}', { path: { workflowId: id } })
  if (resource === 'delegation') return delegation(change.path, id)
  return resource === 'member' ? readMember(id) : undefined
}

async function delegation(path: string, id: string): Promise<Fields | undefined> {
  const [, agentId = ''] = /\/agents\/([^/]+)/.exec(path) ?? []
  const { wallets } = await api.call('GET /api/agents/{agentId}', { path: { agentId } })
  return wallets.find((one) => one.id === id)
}

const COLLECTIONS: { [segment: string]: [label: string, type: string] } = {
  agents: ['Agent', 'AGENT'],
  wallets: ['Wallet', 'WALLET'],
  policies: ['Policy', 'POLICY'],
  members: ['Member', 'PERSON'],
  counterparties: ['Counterparty', 'COUNTERPARTY'],
  'approval-workflows': ['Workflow', 'WORKFLOW'],
}
const NAMING: { [field: string]: [label: string, type: string] } = {
  policyId: ['Policy', 'POLICY'],
  walletId: ['Wallet', 'WALLET'],
  keyId: ['Key', 'ORGANIZATION_KEY'],
}

function namedIn({ change: { path, query, body } }: ChangeApproval): Proposal['about'] {
  const parts = path.split('/')
  const inPath = parts.flatMap((part, at) => {
    const [collection, id] = [COLLECTIONS[part], parts[at + 1]]
    return collection && id ? [[collection, decodeURIComponent(id)] as const] : []
  })
  const said = Object.entries({ ...Object.fromEntries(new URLSearchParams(query)), ...fieldsOf(body) })
  const inFields = said.flatMap(([field, id]) => {
    const naming = NAMING[field]
    return naming ? [[naming, String(id)] as const] : []
  })
  return [...inPath, ...inFields].map(([[label, type], id]) => [label, { type, id }])
}

/** The effects of a request apart from its fields. */
const EFFECTS: { [action: string]: Fields } = {
  'agent.reactivate': { status: 'ACTIVE' },
  'counterparty.trust': { status: 'TRUSTED' },
  'counterparty.unblock': { status: 'UNKNOWN' },
  'organization.unfreeze': { status: 'ACTIVE' },
}
/** Shown beside the change: its reason, and the names in it. */
const ASIDE = ['reason', 'note', 'force', ...Object.keys(NAMING)]

async function afterOf(approval: ChangeApproval, before: Fields | undefined): Promise<Fields | undefined> {
  const {
    action,
    change: { method, path, body },
  } = approval
  const [, isRule, ruleId] = /(\/rules)(?:\/([^/]+))?$/.exec(path) ?? []
  const rules = before?.['rules'] as Rule[] | undefined
  if (isRule && rules) return { rules: rulesAfter(rules, method, ruleId, fieldsOf(body)).map(readRule) }
  if (action === 'policy.rollback') return snapshotOf(path)
  if (action === 'webhook.update' && method === 'DELETE') return { url: null }
  if (method === 'DELETE') return undefined
  if (path.endsWith('/reset-password')) return { password: 'a new set-up link for the requester' }
  // An import has the effects of its entries, which say what they are.
  const effects = path.endsWith('/import') ? {} : EFFECTS[action]
  const said = Object.entries({ ...effects, ...fieldsOf(body) }).filter(([field]) => !ASIDE.includes(field))
  const after = Object.fromEntries(said)
  return Array.isArray(after['rules']) ? { ...after, rules: (after['rules'] as WrittenRule[]).map(readRule) } : after
}

function rulesAfter(rules: Rule[], method: string, ruleId: string | undefined, said: Fields): WrittenRule[] {
  if (ruleId === undefined) {
    const given = ('rules' in said ? said['rules'] : [said]) as WrittenRule[]
    return method === 'PUT' ? given : [...rules, ...given]
  }
  if (method === 'DELETE') return rules.filter(({ id }) => id !== ruleId)
  return rules.map((rule) => (rule.id === ruleId ? { ...rule, ...said } : rule))
}

async function snapshotOf(path: string): Promise<Fields> {
  const [, policyId = '', version = ''] = /\/policies\/([^/]+)\/versions\/(\d+)/.exec(path) ?? []
  const parts = { path: { policyId, version: Number(version) } }
  const { snapshot } = await api.call('GET /api/policies/{policyId}/versions/{version}', parts)
  return snapshot
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
