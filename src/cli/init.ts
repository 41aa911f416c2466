// bursar init: connects this user to a service, and creates a first agent with a wallet and a key if there is none.
import { existsSync } from 'node:fs'
import { BursarAdmin, type Agent, type Wallet } from '../../sdk/index.js'
import { WEEKDAYS } from '../domain/time/timezone.js'
import { KEY_GIVEN, ORGANIZATION_KEY_FROM, showing, type Shown, type ShowingRow } from './terminal/asking.js'
import { Failure } from '../config/failure.js'
import { UsageError, type CommandContext } from './terminal/command.js'
import {
  connectionFile,
  connectionOf,
  DEFAULT_URL,
  urlIn,
  writeConnection,
  type Connection,
} from './terminal/connection.js'
import { record } from './terminal/show.js'

const FIRST_FUNDS = 100
const FIRST_NAME = 'first-agent'
const RECIPIENT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

interface First {
  agent: Agent
  wallet: Wallet
  agentKey: string
}

const init: ShowingRow = {
  usage: `init [--yes] ${KEY_GIVEN}`,
  summary: 'connect to a service and create a first agent; --yes asks nothing and uses BURSAR_URL and BURSAR_API_KEY',
  keyFrom: ORGANIZATION_KEY_FROM,
  run: async ({ has }, context) => {
    if (has('key-stdin') && !has('yes')) throw new UsageError('--key-stdin requires --yes')
    const isAsking = !has('yes')
    const connection = isAsking ? await askedFor(context) : await given(context, has('key-stdin'))
    const bursar = new BursarAdmin({ baseUrl: connection.url, apiKey: connection.apiKey })
    const organization = await bursar.organization.get()
    const save = (): string => writeConnection(context.env, connection)
    const giveUp = (error: unknown): never => {
      context.complain(
        `The connection is saved in ${save()}. See what was created: bursar agents list, bursar wallets list`,
      )
      throw error
    }
    const { agents } = await bursar.agents.list({ limit: 1 }).catch(giveUp)
    // Existing agents are left alone.
    const isFirst = agents.length === 0
    const named = isFirst && isAsking ? await context.ask?.(`Name of the first agent [${FIRST_NAME}]: `) : undefined
    const file = save()
    const made = isFirst ? firstAgent(bursar, named || FIRST_NAME, organization.settlementMode) : undefined
    const first = await made?.catch(giveUp)
    return shown({ file, url: connection.url, organization: organization.name, first })
  },
}

async function given(context: CommandContext, fromInput: boolean): Promise<Connection> {
  const { url, apiKey } = await connectionOf(context, fromInput)
  if (apiKey === undefined) throw new UsageError('Give the organization key in BURSAR_API_KEY or with --key-stdin')
  return { url, apiKey }
}

async function askedFor({ ask, env }: CommandContext): Promise<Connection> {
  if (!ask) throw new UsageError('No interactive terminal: use --yes')
  const file = connectionFile(env)
  // Asks first, because the file may hold the only copy of its key.
  const replaces = !existsSync(file) || /^y(es)?$/i.test(await ask(`${file} exists already. Replace it? [y/N] `))
  if (!replaces) throw new Failure('The connection was not changed')
  const usual = env['BURSAR_URL'] ?? DEFAULT_URL
  const url = urlIn((await ask(`Address of the service [${usual}]: `)) || usual)
  const apiKey = env['BURSAR_API_KEY'] ?? (await ask('Organization key (not shown): ', true))
  if (apiKey === '') throw new Failure('A connection needs a key')
  return { url, apiKey }
}

async function firstAgent(bursar: BursarAdmin, name: string, settlement: 'test' | 'live'): Promise<First> {
  const agent = await bursar.agents.create({ name, agentType: 'CUSTOM' })
  const made = await bursar.wallets.create({ name: 'operations', custodyType: 'MANAGED' })
  const wallet = settlement === 'test' ? await bursar.wallets.fund(made.id, FIRST_FUNDS) : made
  await bursar.agents.wallets.delegate(agent.id, { walletId: wallet.id, allowedDays: WEEKDAYS })
  const { key } = await bursar.agents.keys.create(agent.id, { name: 'first key' })
  return { agent, wallet, agentKey: key }
}

interface Done {
  file: string
  url: string
  organization: string
  first: First | undefined
}

function shown({ file, url, organization, first }: Done): Shown {
  const connected = { organization, service: url, connection: file }
  if (!first) {
    const why =
      'There are agents already, so none was created. To create a key for one: bursar keys create NAME --agent AGENT'
    return { json: connected, lines: (style) => [...record(connected, style), why] }
  }
  const { agent, wallet, agentKey } = first
  const curl = curlLine(url)
  const named = ({ id, name }: Agent | Wallet): string => `${name} (${id})`
  const made = { agent: named(agent), wallet: named(wallet), balance: wallet.balance }
  return {
    json: { ...connected, agent, wallet, agentKey, curl },
    lines: (style) => [
      ...record({ ...connected, ...made, 'agent key': agentKey }, style),
      'The agent key is shown only once: keep it safe.',
      'To request a first payment, run this. The first line reads the key without showing it:',
      '',
      '  read -rs BURSAR_AGENT_KEY; export BURSAR_AGENT_KEY',
      `  ${curl}`,
    ],
  }
}

/** The header goes through a pipe, so that the key is never a process argument. */
function curlLine(url: string): string {
  const body = JSON.stringify({ amount: 1, recipientAddress: RECIPIENT, autoExecute: true })
  const header = `printf 'Authorization: Bearer %s' "$BURSAR_AGENT_KEY"`
  const target = `'${url}/api/sdk/payments/request'`
  return `${header} | curl -sS -H @- -H 'Content-Type: application/json' -d '${body}' ${target}`
}

export const initCommands = { init: showing(init) }
