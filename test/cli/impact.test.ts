// bursar policies impact of a policy that does not exist yet: for which agents, and why nothing may be compared.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../src/cli/bursar.js'
import { startStage, type Stage } from '../support/policies.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { surroundings } from '../support/commandContext.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

async function impact(...args: string[]) {
  const context = surroundings({ env: { BURSAR_URL: stage.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
  const exit = await runCommand(['policies', 'impact', ...args], context)
  return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
}

function fileOf(t: ExecutionContext, name: string, more: object = {}): string {
  const folder = newFolder(t)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'policy.json')
  const rules = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 5, action: 'ALLOW' }]
  writeFileSync(path, JSON.stringify({ name, policyType: 'SPEND_LIMIT', scope: 'assigned', rules, ...more }))
  return path
}

test('a new policy is compared for the agents that are named', async (t) => {
  const [first, second, idle] = [await stage.agent(), await stage.agent(), await stage.agent()]
  for (const agent of [first, second]) t.is((await stage.pay(agent, 8)).status, 'EXECUTED')
  const file = fileOf(t, 'Small payments')
  const none = await impact(file)
  t.is(none.exit, 0)
  t.regex(none.out, /^Nothing was compared: Small payments does not exist yet, so name its agents with --agent AGENT$/m)
  t.regex((await impact(file, '--agent', first.agentId)).out, /^1 of 1 decisions would change/)
  const both = await impact(file, '--agent', first.agentId, '--agent', second.agentId)
  t.regex(both.out, /^2 of 2 decisions would change/)
  t.notRegex(both.out, /Nothing was compared/)
  const unused = await impact(file, '--agent', idle.agentId)
  t.regex(unused.out, /^Nothing was compared: no payment of these agents has been decided yet$/m)
})

test('an edit is compared for the agents that its policy is assigned to, and takes no others', async (t) => {
  const agent = await stage.agent()
  const { name } = await stage.policy([], { name: 'Kept', agentIds: [] })
  const file = fileOf(t, name, { policyType: 'COMPOSITE' })
  t.regex((await impact(file)).out, /^Nothing was compared: Kept is assigned to no agent and no wallet$/m)
  await t.throwsAsync(impact(file, '--agent', agent.agentId), { message: /^Kept exists: .* leave out --agent$/ })
})
