// bursar alerts: the list, one alert and its end, the settings; and the automatic freeze and the forecast of an agent.
import test from 'ava'
import { runCommand } from '../../src/cli/bursar.js'
import { UsageError } from '../../src/cli/terminal/command.js'
import { surroundings } from '../support/commandContext.js'
import { ask, fundedAgent, type FundedAgent } from '../support/payments.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'

const scope = wholeFile(test)
let service: Started
let agent: FundedAgent
test.before(async () => {
  service = await start(scope)
  agent = await fundedAgent(service.client, { terms: { spendLimitPerTx: 10, spendLimitDaily: 100 } })
  await ask(service.client, agent.key, 11)
  await ask(service.client, agent.key, 11)
})

async function run(...args: string[]): Promise<{ exit: number; out: string; error: string }> {
  const context = surroundings({ env: { BURSAR_URL: service.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
  const exit = await runCommand(args, context)
  return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
}

test.serial('an alert is listed, shown, acknowledged and resolved, once', async (t) => {
  const listed = await run('alerts', 'list', '--status', 'ACTIVE', '--severity', 'WARNING', '--agent', 'Buyer')
  t.regex(listed.out, /SPEND_LIMIT_EXCEEDED +WARNING +ACTIVE +2 /)
  const [id] = /\bc\w{24}\b/.exec(listed.out)!
  t.regex((await run('alerts', 'show', id)).out, /^count +2$/m)
  t.regex((await run('alerts', 'acknowledge', id)).out, /^acknowledged by +ORGANIZATION_KEY c\w{24}$/m)
  t.regex((await run('alerts', 'resolve', id)).out, /^status +RESOLVED$/m)
  const again = await run('alerts', 'resolve', id)
  t.is(again.exit, 1)
  t.regex(again.error, /^ALREADY_RESOLVED/)
  await t.throwsAsync(() => run('alerts', 'list', '--type', 'NONE'), { instanceOf: UsageError })
})

test.serial('settings are shown and changed', async (t) => {
  t.regex((await run('alerts', 'settings')).out, /^warning at +80 percent of a limit$/m)
  const changed = await run('alerts', 'settings', '--warn-at', '60', '--low-balance', '12.5')
  t.regex(changed.out, /^low balance below +12\.5$/m)
  t.regex((await run('alerts', 'settings', '--low-balance', 'none')).out, /^low balance below +no alert$/m)
  await t.throwsAsync(() => run('alerts', 'settings', '--warn-at', 'half'), { instanceOf: UsageError })
})

test.serial('the automatic freeze is set, shown and turned off', async (t) => {
  const named = await run('agents', 'auto-freeze', 'Buyer', '--violations', '2', '--alert-only')
  t.regex(named.out, /^automatic freeze +.*consecutiveViolations 2/m)
  t.regex(named.out, /^automatic freeze +.*action ALERT/m)
  t.regex((await run('agents', 'auto-freeze', 'Buyer')).out, /recipientsPerHour 10/)
  t.notRegex((await run('agents', 'auto-freeze', 'Buyer', '--off')).out, /automatic freeze/)
  await t.throwsAsync(() => run('agents', 'auto-freeze', 'Buyer', '--off', '--violations', '2'), { instanceOf: UsageError })
})

test.serial('the forecast has a line for each limit', async (t) => {
  t.regex((await run('agents', 'forecast', 'Buyer')).out, /DAY +100 +0 +0 +0 +-$/m)
})
