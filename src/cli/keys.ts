// bursar keys: organization keys, and with --agent those of an agent.
import { BursarError, type KeyList, type MintedKey } from '../../sdk/index.js'
import { agentIdOf } from './agents.js'
import { wholeNumber } from './arguments.js'
import { asking, type Asking, type Shown } from './asking.js'
import { choice } from './choice.js'
import { UsageError } from './command.js'
import { listed } from './listed.js'
import { record, type Columns } from './show.js'

type Key = KeyList['keys'][number]

const LONGEST_DAYS = 3650
const PRESETS = ['READ_ONLY', 'STANDARD', 'ADMIN'] as const
const ORGANIZATION_ONLY = "--scope is for keys of the organization: an agent's key has all scopes of agents"
const COLUMNS: Columns<Key> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  KEY: ({ keyPrefix }) => `${keyPrefix}…`,
  STATUS: ({ status }) => status,
  EXPIRES: ({ expiresAt }) => expiresAt,
  'LAST USED': ({ lastUsedAt }) => lastUsedAt,
}

async function agentOf(asking: Asking): Promise<string | undefined> {
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

async function create(asking: Asking): Promise<Shown> {
  const { bursar, words, text } = asking
  const [name, expiresInDays] = [words[0]!, wholeNumber('--days', text('days'), 1, LONGEST_DAYS)]
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

export const keyCommands = {
  'keys list': asking({
    usage: 'keys list [--agent AGENT] [--limit N]',
    summary: 'list keys of the organization, or of an agent',
    run: async (asking) => {
      const { bursar } = asking
      const agent = await agentOf(asking)
      return listed<Key>(asking, agent === undefined ? bursar.keys.list() : bursar.agents.keys.list(agent), COLUMNS)
    },
  }),
  'keys create': asking({
    usage: 'keys create NAME [--agent AGENT] [--scope READ_ONLY|STANDARD|ADMIN] [--days N]',
    summary: 'create a key; it is shown only once',
    run: create,
  }),
  'keys revoke': asking({
    usage: 'keys revoke KEYID [--agent AGENT]',
    summary: 'revoke a key at once',
    run: async (asking) => {
      const { bursar, words } = asking
      const agent = await agentOf(asking)
      const keyId = words[0]!
      await (agent === undefined ? bursar.keys.revoke(keyId) : bursar.agents.keys.revoke(agent, keyId))
      return { json: { id: keyId, status: 'REVOKED' }, lines: () => [`${keyId} is revoked`] }
    },
  }),
}
