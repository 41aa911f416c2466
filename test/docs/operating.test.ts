// The settings, metrics and log events in the operating guide are those that exist.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { NODE_FLAGS } from '../../src/cli/terminal/child.js'
import { KNOWN, readConfig } from '../../src/config/config.js'
import { isSettlementSetting } from '../../src/config/settlement.js'
import { start } from '../support/service.js'
import { projectRoot } from '../support/root.js'

const guide = readFileSync(join(projectRoot, 'docs/guides/operating.md'), 'utf8')
/** The first two cells of table rows whose first cell is code. */
const ROW = /^\| `([^`]+)` \| (?:`([^`]+)`|[^|]*) \|/gm
const rows = [...guide.matchAll(ROW)].map(([, name, value]) => [name!, value] as const)
const settings = rows.filter(([name]) => name === name.toUpperCase() || name.includes('<chainId>'))

test('The table lists exactly the settings that exist', (t) => {
  const ofChain = ['RPC_8453', 'ASSET_8453', 'CONFIRMATIONS_8453', 'MAX_FEE_GWEI_8453']
  const ofSettlement = ['SETTLEMENT', 'KEYSTORE_KEY', 'PROVIDER_A', 'PROVIDER_B', ...ofChain]
  const others = ofSettlement.map((name) => `BURSAR_${name}`)
  t.true(others.every(isSettlementSetting))
  const commands = ['BURSAR_URL', 'BURSAR_API_KEY', 'BURSAR_AGENT_KEY', 'BURSAR_WEBHOOK_SECRET']
  const expected = [...KNOWN, ...others].filter((name) => !commands.includes(name))
  const named = settings.map(([name]) => name.replace('<chainId>', '8453'))
  t.deepEqual(named.toSorted(), expected.toSorted())
  for (const name of commands) t.true(guide.includes(`\`${name}\``), name)
})

test('The defaults in the table are the actual defaults', (t) => {
  const given = Object.fromEntries(settings.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  t.true(Object.keys(given).length >= 10)
  t.deepEqual(readConfig({ NODE_ENV: 'test', ...given }), readConfig({ NODE_ENV: 'test' }))
})

test("Every metric in the table is served, and all of the service's own metrics are in it", async (t) => {
  const { url } = await start(t)
  const text = await (await fetch(`${url}/metrics`)).text()
  const served = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!)
  const named = rows.map(([name]) => name).filter((name) => /^(bursar|http|nodejs|process)_\w+$/.test(name))
  t.true(named.length >= 5)
  t.deepEqual(
    named.filter((name) => !served.includes(name)),
    [],
  )
  t.deepEqual(
    served.filter((name) => !/^(nodejs|process)_/.test(name) && !named.includes(name)),
    [],
  )
})

test('The table has exactly the events that the service logs', (t) => {
  const table = guide.slice(guide.indexOf('| Event | Means'), guide.indexOf('## Doctor'))
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!)
  const named = cells.flatMap((cell) => cell.split(', `').map((name) => name.replaceAll('`', '')))
  const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  const text = sources
    .filter((name) => name.endsWith('.ts') && !name.startsWith('cli/'))
    .map((name) => readFileSync(join(projectRoot, 'src', name), 'utf8'))
  const logged = new Set([...text.join('').matchAll(/\b(?:log|fail)\(\s*'([^']+)'/g)].map(([, event]) => event!))
  t.true(logged.size >= 15)
  t.deepEqual(named.toSorted(), [...logged].toSorted())
})

test('npm start, the unit and the container run Node with the flags of the benchmark', (t) => {
  const flags = NODE_FLAGS.join(' ')
  const container = ['node', ...NODE_FLAGS, '/usr/local/bin/bursar', 'serve'].map((word) => `"${word}"`).join(', ')
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  t.is(scripts.start, `exec node ${flags} dist/src/main.js`)
  t.true(guide.includes(`\nExecStart=/usr/bin/node ${flags} /usr/bin/bursar serve\n`))
  t.true(guide.includes(`\nCMD [${container}]\n`))
})
