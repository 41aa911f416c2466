// bursar policies: reads policies and their versions, and restores a version; apply.ts changes them from files.
import type { Policy, PolicyList } from '../../../sdk/index.js'
import { applyCommands, changeLines } from './apply.js'
import { choice, integerOption } from '../terminal/arguments.js'
import { asking, type ServiceCommand, type Shown } from '../terminal/asking.js'
import { idNamed, printedList } from '../terminal/listed.js'
import { fileOf } from './file.js'
import { impactCommands } from './impact.js'
import { clean, record, status, type Columns } from '../terminal/show.js'

type Listed = PolicyList['policies'][number]

const FORMATS = ['file', 'json-rules-engine'] as const
const COLUMNS: Columns<Listed> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  TYPE: ({ policyType }) => policyType,
  SCOPE: ({ scope }) => scope,
  PRIORITY: ({ priority }) => priority,
  ACTIVE: ({ isActive }) => (isActive ? 'yes' : 'no'),
  VERSION: ({ version }) => version,
}

function policyId({ bursar, words }: ServiceCommand): Promise<string> {
  return idNamed(words[0]!, () => bursar.policies.list())
}

const shown = (policy: Policy): Shown => ({
  json: policy,
  lines: (style) => {
    const { id, name, description, policyType, scope, priority, isActive, version, rules, assignments } = policy
    const { agents, wallets } = assignments
    const subjects = scope === 'organization' ? 'all agents' : `${agents.length} agents, ${wallets.length} wallets`
    const scopeAndVersion = { 'applies to': subjects, priority, active: isActive, version }
    const fields = { id, name, description, type: policyType, ...scopeAndVersion }
    const ruleLine = ({ ruleType, operator, value, action }: Policy['rules'][number]): string =>
      `  ${[ruleType, operator, JSON.stringify(value)].map(clean).join(' ')}  ${status(clean(action), style)}`
    return [...record(fields, style), '', ...rules.map(ruleLine)]
  },
})

async function diff(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words } = asking
  const id = await policyId(asking)
  const to = integerOption('TO', words[2]) ?? (await bursar.policies.get(id)).version
  const compared = await bursar.policies.versions.compare(id, integerOption('FROM', words[1])!, to)
  const lines = (style: Parameters<Shown['lines']>[0]): string[] => {
    const changes = changeLines(compared.diff, style)
    return changes.length === 0 ? ['no differences'] : changes
  }
  return { json: compared, lines }
}

async function exported(asking: ServiceCommand): Promise<Shown> {
  const { bursar, text } = asking
  const id = await policyId(asking)
  const ownForm = choice('--format', FORMATS, text('format')) !== 'json-rules-engine'
  const content = ownForm
    ? fileOf(await bursar.policies.get(id), (await bursar.policies.tests.get(id)).tests)
    : await bursar.policies.export(id, { format: 'json-rules-engine' })
  return { json: content, lines: () => JSON.stringify(content, null, 2).split('\n') }
}

export const policyCommands = {
  'policies list': asking({
    usage: 'policies list [--limit N]',
    summary: 'list policies',
    run: async (asking) => printedList(asking, asking.bursar.policies.list(), COLUMNS),
  }),
  'policies show': asking({
    usage: 'policies show POLICY',
    summary: 'show a policy and its rules',
    run: async (asking) => shown(await asking.bursar.policies.get(await policyId(asking))),
  }),
  'policies diff': asking({
    usage: 'policies diff POLICY FROM [TO]',
    summary: 'show what differs between two versions; TO defaults to the current one',
    run: diff,
  }),
  'policies rollback': asking({
    usage: 'policies rollback POLICY VERSION [--note TEXT] [--force]',
    summary:
      'restore an earlier version as a new one, which stays active or inactive as it is; --force overrides tests that fail',
    run: async (asking) => {
      const { bursar, words, text, has } = asking
      const [id, version] = [await policyId(asking), integerOption('VERSION', words[1])!]
      const force = { force: has('force') || undefined }
      return shown(await bursar.policies.versions.rollback(id, version, text('note'), force))
    },
  }),
  'policies export': asking({
    usage: 'policies export POLICY [--format FORMAT]',
    summary: `print a policy, by default in the form that policies apply reads; FORMAT is one of ${FORMATS.join(', ')}`,
    run: exported,
  }),
  ...applyCommands,
  ...impactCommands,
}
