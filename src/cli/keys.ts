// bursar keys: organization keys, and with --agent those of an agent.
import { BursarError, type Descendants as DescendantList, type KeyList, type MintedKey } from '../../sdk/index.js'
import { agentIdOf } from './agents.js'
import { choice, integerOption } from './terminal/arguments.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { UsageError } from './terminal/command.js'
import { printedList } from './terminal/listed.js'
import { clean, record, table, tree, type Branch, type Columns } from './terminal/show.js'

type Key = KeyList['keys'][number]

const LONGEST_DAYS = 3650
const PRESETS = ['READ_ONLY', 'STANDARD', 'ADMIN'] as const
const ORGANIZATION_ONLY = "--scope is for keys of the organization: an agent's key has all scopes of agents"
const COLUMNS: Columns<Key> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  KEY: ({ keyPrefix, redirectHost }) => (redirectHost === undefined ? `${keyPrefix}…` : `app at ${redirectHost}`),
  STATUS: ({ status }) => status,
  EXPIRES: ({ expiresAt }) => expiresAt,
  'CREATED BY': ({ createdBy }) => `${createdBy.type} ${createdBy.id}`,
  'LAST USED': ({ lastUsedAt }) => lastUsedAt,
}

const MADE: Columns<{ type: string; id: string; name: string }> = {
  TYPE: ({ type }) => type,
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
}

async function agentOf(asking: ServiceCommand): Promise<string | undefined> {
  const agent = asking.text('agent')
  return agent === undefined ? undefined : agentIdOf(asking, agent)
}

const keyFields = ({ id, name, key, scopes, expiresAt }: MintedKey) => ({
  id,
  name,
  key,
  scopes: scopes.join(' '),
  expires: expiresAt,
})

export const minted = (key: MintedKey): Shown => ({
  json: key,
  lines: (style) => [...record(keyFields(key), style), 'The key is shown only once: keep it safe'],
})

async function create(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words, text } = asking
  const [name, expiresInDays] = [words[0]!, integerOption('--days', text('days'), 1, LONGEST_DAYS)]
  if (text('agent') !== undefined && text('scope') !== undefined) throw new UsageError(ORGANIZATION_ONLY)
  const agent = await agentOf(asking)
  const scopePreset = choice('--scope', PRESETS, text('scope')) ?? 'STANDARD'
  try {
    if (agent !== undefined) return minted(await bursar.agents.keys.create(agent, { name, expiresInDays }))
    return minted(await bursar.keys.create({ name, scopePreset, expiresInDays }))
  } catch (error) {
    if (error instanceof BursarError && error.code === 'REQUIRES_APPROVAL') {
      asking.context.complain(`Once approved, get the key: bursar approvals collect ${error.approvalRequestId}`)
    }
    throw error
  }
}

type Descendants = DescendantList['descendants']

/** Those whose maker is not among them come first: it is the key itself, or has ended. */
function branchesOf(all: Descendants): Branch[] {
  const madeBy = (maker: string): Branch[] => all.filter(({ createdBy }) => createdBy.id === maker).map(branch)
  const branch = ({ type, id, name }: Descendants[number]): Branch => {
    return { text: `${type} ${id} ${clean(name)}`, branches: madeBy(id) }
  }
  return all.filter(({ createdBy }) => !all.some(({ id }) => id === createdBy.id)).map(branch)
}

async function revoke(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words, has } = asking
  const agent = await agentOf(asking)
  const [keyId, options] = [words[0]!, { cascade: has('cascade') }]
  const removed = await (agent === undefined
    ? bursar.keys.revoke(keyId, options)
    : bursar.agents.keys.revoke(agent, keyId, options))
  const { descendants = [], revoked = [] } = removed
  const advice = `It created these, which stay active: bursar keys revoke ${keyId} --cascade revokes them, too`
  return {
    json: { id: keyId, status: 'REVOKED', ...(options.cascade ? { revoked } : { descendants }) },
    lines: (style) => [
      `${keyId} is revoked`,
      ...(revoked.length > 0 ? ['Also revoked, because it created them:', ...table(MADE, revoked, style)] : []),
      ...(descendants.length > 0 ? [advice, ...table(MADE, descendants, style)] : []),
    ],
  }
}

export const keyCommands = {
  'keys list': asking({
    usage: 'keys list [--agent AGENT] [--limit N]',
    summary: 'list keys of the organization, or of an agent',
    run: async (asking) => {
      const { bursar } = asking
      const agent = await agentOf(asking)
      return printedList<Key>(
        asking,
        agent === undefined ? bursar.keys.list() : bursar.agents.keys.list(agent),
        COLUMNS,
      )
    },
  }),
  'keys create': asking({
    usage: 'keys create NAME [--agent AGENT] [--scope READ_ONLY|STANDARD|ADMIN] [--days N]',
    summary: 'create a key, which is shown only once; --scope is for keys of the organization, by default STANDARD',
    run: create,
  }),
  'keys tree': asking({
    usage: 'keys tree KEYID',
    summary: 'show the active keys and members that a key created, directly or through others',
    run: async ({ bursar, words: [keyId] }) => {
      const { descendants } = await bursar.keys.descendants(keyId!)
      return { json: descendants, lines: () => tree({ text: keyId!, branches: branchesOf(descendants) }) }
    },
  }),
  'keys revoke': asking({
    usage: 'keys revoke KEYID [--agent AGENT] [--cascade]',
    summary: 'revoke a key immediately, with --cascade also everything it created',
    run: revoke,
  }),
}
