// Policies in a browser: an edit is checked while it is typed, shows its impact before it is saved, and can be rolled
// back.
import test from 'ava'
import type { Page } from 'playwright-core'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Policy, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'
import type { PolicyList, VersionList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
let owner: Person
test.before('the service runs', async () => {
  // Near the browser's clock, and far from midnight, where the limits of a day begin anew.
  stage = await startStage(scope, new Date().setUTCHours(12, 0, 0, 0))
  owner = await newPerson(stage.client, 'OWNER')
})
const { browse } = browsing(test, () => stage.url)

const DAILY = { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 }
const read = (id: string): Promise<Policy> => stage.must('GET', `/api/policies/${id}`)

async function paidUnder(amounts: number[]): Promise<{ policy: Policy; agent: FundedAgent }> {
  const { policy, agent } = await stage.governed([DAILY])
  for (const amount of amounts) await stage.pay(agent, amount)
  return { policy, agent }
}

const openRules = (page: Page, { id }: Policy, person = owner): Promise<void> =>
  openAs(page, person, stage.url, `policies/${id}/rules`)

browse('a policy is edited, shows the impact before it is saved, and is rolled back', async (t, page) => {
  const { policy } = await paidUnder([30, 30, 30])
  await openAs(page, owner, stage.url, 'policies')
  await page.getByRole('link', { name: policy.name, exact: true }).click()
  await page.getByText('the agent spends at most 100.00 USDC a day').waitFor()
  await page.getByRole('link', { name: 'Edit rules' }).click()
  await page.getByLabel('Amount in USDC').fill('65')
  await page.getByLabel('This rule in words').getByText('the agent spends at most 65.00 USDC a day').waitFor()
  await page.getByText('1 of the last 3 decisions would change').filter({ visible: true }).waitFor()
  await page.getByText("30 on top of 60 passes the day's limit of 65").waitFor()
  t.is((await read(policy.id)).version, 1)
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByRole('link', { name: 'Edit rules' }).waitFor()
  await page.getByText('the agent spends at most 65.00 USDC a day').waitFor()
  t.like(await read(policy.id), { version: 2, rules: [{ value: 65 }] })

  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('link', { name: 'Compare with current' }).click()
  const diff = page.getByRole('region', { name: 'Version 1 compared with version 2' })
  await diff.getByText('Removed:').waitFor()
  t.regex(await diff.innerText(), /100\.00 USDC a day[\s\S]*Version 2 \(current\)[\s\S]*65\.00 USDC a day/)
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('of the last 3 decisions would change').waitFor()
  await dialog.getByLabel('Note').fill('Too low')
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Version 3', { exact: true }).waitFor()
  t.like(await read(policy.id), { version: 3, rules: [{ value: 100 }] })
  const { versions } = await stage.must<VersionList>('GET', `/api/policies/${policy.id}/versions`)
  t.like(versions[0], { changeType: 'ROLLED_BACK', note: 'Too low' })
})

browse('the impact of a policy that is switched off is that of its rules once it is switched on', async (t, page) => {
  const { policy } = await paidUnder([30, 30, 30])
  await stage.must('PATCH', `/api/policies/${policy.id}`, { isActive: false })
  await openRules(page, policy)
  await page.getByLabel('Amount in USDC').fill('65')
  await page.getByText('1 of the last 3 decisions would change').filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('the agent spends at most 65.00 USDC a day').waitFor()
  t.like(await read(policy.id), { version: 3, isActive: false })
})

browse('errors are shown beside their fields until they are corrected, and nothing is saved', async (t, page) => {
  const { policy } = await paidUnder([])
  await openRules(page, policy)
  const amount = page.getByLabel('Amount in USDC')
  await amount.fill('12.3456789')
  await page.getByText(/must be an amount/).waitFor()
  t.is(await amount.getAttribute('aria-invalid'), 'true')
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save as new version' }).click()
  t.is((await answered).status(), 400)
  await amount.fill('12')
  await page.getByText(/must be an amount/).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByLabel('Rule', { exact: true }).nth(1).selectOption('ALLOWED_COUNTERPARTIES')
  await page.getByLabel('Addresses').fill('0x00000000000000000000000000000000000000a1\nnobody')
  await page.getByText(/must be an EVM address/).waitFor()
  t.is(await page.getByLabel('Addresses').getAttribute('aria-invalid'), 'true')
  t.is((await read(policy.id)).version, 1)
})

browse('every rule type has a form whose values the service accepts', async (t, page) => {
  const { policy } = await paidUnder([])
  await openRules(page, policy)
  const rule = page.getByLabel('Rule', { exact: true }).first()
  await rule.waitFor()
  const types = await rule
    .locator('option')
    .evaluateAll((options) => options.map((one) => (one as unknown as { value: string }).value))
  t.is(types.length, 29)
  for (const type of types) {
    const answered = page.waitForResponse((response) => response.url().includes('/impact'))
    await rule.selectOption(type)
    const isAddresses = await page.getByLabel('Addresses').isVisible()
    if (isAddresses) await page.getByLabel('Addresses').fill('0x00000000000000000000000000000000000000a1')
    let response = await answered
    if (isAddresses && response.status() !== 200)
      response = await page.waitForResponse((one) => one.url().includes('/impact'))
    t.is(response.status(), 200, type)
  }
})

browse('rules can be edited as JSON, with the path of an error', async (t, page) => {
  const { policy } = await paidUnder([])
  await openRules(page, policy)
  await page.getByRole('button', { name: 'JSON' }).click()
  const text = page.getByLabel('Rules')
  t.is((JSON.parse(await text.inputValue()) as Policy['rules'])[0]!.value, 100)
  await text.fill('[{')
  await page.getByText(/This is not JSON/).waitFor()
  t.true(await page.getByRole('button', { name: 'Save as new version' }).isDisabled())
  await text.fill('[{ "ruleType": "MAX_AMOUNT", "operator": "LTE", "value": -1 }]')
  await page.getByText('rules.0.value').waitFor()
  await text.fill('[{ "ruleType": "MAX_AMOUNT", "operator": "LTE", "value": 5 }]')
  await page.getByText('rules.0.value').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('the amount is at most 5.00 USDC').waitFor()
  t.is((await read(policy.id)).version, 2)
})

browse('an edit of a policy that somebody else has changed meanwhile is not saved', async (t, page) => {
  const { policy } = await paidUnder([])
  await openRules(page, policy)
  await page.getByLabel('Amount in USDC').fill('50')
  await stage.must('PATCH', `/api/policies/${policy.id}`, { priority: 7 })
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText(/The policy has another version by now/).waitFor()
  t.like(await read(policy.id), { version: 2, rules: [{ value: 100 }] })
})

browse('a new policy from a template is switched off, and is switched on with its impact shown', async (t, page) => {
  const { agent } = await paidUnder([30])
  await openAs(page, owner, stage.url, 'policies/new')
  await page.getByRole('button', { name: /Use template.*Daily cap/ }).click()
  await page.getByLabel('Name').fill('No more than that')
  await page.getByLabel('Applies to').selectOption('organization')
  await page.getByRole('button', { name: 'Create policy' }).click()
  await page.getByRole('heading', { name: 'Rules of No more than that' }).waitFor()
  const { policies } = await stage.must<PolicyList>('GET', '/api/policies')
  const made = policies.find(({ name }) => name === 'No more than that')!
  t.like(made, { isActive: false, scope: 'organization', version: 1 })
  await page.goto(`${stage.url}/#/policies/${made.id}`)
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/of the last \d+ decisions? would change/).waitFor()
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).waitFor()
  t.true((await read(made.id)).isActive)
  await stage.must('PATCH', `/api/policies/${made.id}`, { isActive: false })
  t.is((await stage.ask(agent, 1)).status, 'APPROVED')
})

browse('a policy is never switched in the other direction than the dialog says', async (t, page) => {
  const { policy } = await paidUnder([])
  await openAs(page, owner, stage.url, `policies/${policy.id}`)
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Deactivate/ })
  await dialog.waitFor()
  await stage.must('PATCH', `/api/policies/${policy.id}`, { isActive: false })
  await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await page.getByText('The policy is already inactive').waitFor()
  await dialog.waitFor({ state: 'detached' })
  t.like(await read(policy.id), { version: 2, isActive: false })
})

browse('a stored test blocks an edit until it is forced', async (t, page) => {
  const { policy } = await paidUnder([])
  await openAs(page, owner, stage.url, `policies/${policy.id}?part=tests`)
  await page.getByRole('button', { name: 'Add test case' }).click()
  await page.getByLabel('Name').fill('Eighty is fine')
  await page.getByLabel('Amount in USDC').fill('eighty')
  await page.getByRole('button', { name: 'Save test case' }).click()
  await page.getByText(/must be an amount/).waitFor()
  t.is(await page.getByLabel('Amount in USDC').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Amount in USDC').fill('80')
  await page.getByRole('button', { name: 'Save test case' }).click()
  await page.getByRole('cell', { name: 'Eighty is fine', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Run test cases' }).click()
  await page.getByText('The test case passes.').waitFor()
  const removing = page.getByRole('dialog', { name: 'Remove Eighty is fine?' })
  await page.getByRole('button', { name: 'Remove the test case Eighty is fine' }).click()
  await removing.getByRole('button', { name: 'Cancel' }).click()
  await removing.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'Eighty is fine', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Edit rules' }).click()
  await page.getByLabel('Amount in USDC').fill('50')
  await page.getByText('1 test case would fail.').waitFor()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page
    .getByText(/of the policy's tests would fail/)
    .or(page.getByText(/Eighty is fine: expects/))
    .last()
    .waitFor()
  t.is((await read(policy.id)).version, 1)
  await page.getByLabel('Save despite failing test cases').check()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('the agent spends at most 50.00 USDC a day').waitFor()
  t.is((await read(policy.id)).version, 2)
  await page.getByRole('link', { name: 'Test cases' }).click()
  await page.getByRole('button', { name: 'Remove the test case Eighty is fine' }).click()
  await removing.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No test cases').waitFor()
})

browse('a payment can be tried, and the policy assigned and unassigned', async (t, page) => {
  const { policy, agent } = await paidUnder([30])
  const other = await stage.agent({ name: 'Newcomer' })
  await openAs(page, owner, stage.url, `policies/${policy.id}?part=dry-run`)
  await page.getByLabel('Agent').selectOption(agent.agentId)
  await page.getByLabel('Amount in USDC').fill('80')
  await page.getByLabel("Recipient's address").fill('0x00000000000000000000000000000000000000a1')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByText('It would be denied.').waitFor()
  await page.getByRole('link', { name: 'Applies to' }).click()
  await page.getByRole('button', { name: 'Assign to agent' }).click()
  await page.getByRole('dialog').getByLabel('Agent').selectOption(other.agentId)
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page
    .getByRole('row', { name: /Newcomer/ })
    .getByRole('button', { name: 'Unassign' })
    .click()
  t.is((await read(policy.id)).assignments.agents.length, 2)
  await page.getByRole('dialog').getByRole('button', { name: 'Unassign' }).click()
  await page.getByRole('row', { name: /Newcomer/ }).waitFor({ state: 'detached' })
  t.deepEqual((await read(policy.id)).assignments.agents, [agent.agentId])
})

browse('a VIEWER sees policies and no controls to change them', async (t, page) => {
  const { policy } = await paidUnder([])
  await openAs(page, await newPerson(stage.client, 'VIEWER'), stage.url, `policies/${policy.id}`)
  await page.getByText('the agent spends at most 100.00 USDC a day').waitFor()
  t.is(await page.getByRole('link', { name: 'Edit rules' }).count(), 0)
  t.is(await page.getByRole('button', { name: 'Remove policy' }).count(), 0)
})

browse('the end of a range of dates is the last day of it, in the form as in the service', async (t, page) => {
  const { policy } = await paidUnder([])
  await openRules(page, policy)
  const year = new Date().getFullYear()
  for (const [type, end] of [
    ['DATE_RANGE', `${year}-12-31`],
    ['BLACKOUT_PERIOD', `${year}-12-26`],
  ] as const) {
    await page.getByLabel('Rule', { exact: true }).selectOption(type)
    t.is(await page.getByLabel('Until').inputValue(), end)
    await page.getByText('A date is included, a time is excluded').waitFor()
  }
})

const addresses = (last: string): string[] => ['1', '2', '3', '4', '5', last].map((digit) => `0x${digit.repeat(40)}`)
const allowed = (last: string) => ({ ruleType: 'ALLOWED_COUNTERPARTIES', operator: 'IN_LIST', value: addresses(last) })

browse('addresses of rules are shown in full: in a policy, between versions and before a rollback', async (t, page) => {
  const { policy } = await stage.governed([allowed('6')])
  await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [allowed('7')] })
  await openAs(page, owner, stage.url, `policies/${policy.id}`)
  await page.locator('code.whole').first().waitFor()
  t.deepEqual(await page.locator('code.whole').allInnerTexts(), addresses('7'))
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('link', { name: 'Compare with current' }).click()
  const diff = page.getByRole('region', { name: 'Version 1 compared with version 2' })
  await diff.locator('code.whole').first().waitFor()
  t.deepEqual(await diff.locator('.gone code.whole').allInnerTexts(), addresses('6').slice(-1))
  t.deepEqual(await diff.locator('.came code.whole').allInnerTexts(), addresses('7').slice(-1))
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  const again = page.getByRole('dialog').locator('code.whole')
  await again.first().waitFor()
  t.deepEqual(await again.allInnerTexts(), addresses('6'))
})

browse('an assigned agent can be tried even if there are many newer ones', async (t, page) => {
  const { policy, agent } = await paidUnder([])
  await stage.agent({ name: 'Newest of all' })
  await page.route(/\/api\/agents\?.*limit=100/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  )
  await openAs(page, owner, stage.url, `policies/${policy.id}?part=dry-run`)
  await page.getByLabel('Agent (the newest 1)').waitFor()
  t.is(await page.getByLabel('Agent').inputValue(), agent.agentId)
})

browse('a removed agent is not offered to try a policy with', async (t, page) => {
  const { policy, agent } = await paidUnder([])
  const other = await stage.agent({ name: 'Assigned, too' })
  await stage.assign(policy.id, other)
  await stage.must('DELETE', `/api/agents/${agent.agentId}`)
  await openAs(page, owner, stage.url, `policies/${policy.id}?part=dry-run`)
  const choice = page.getByLabel('Agent', { exact: true })
  await choice.waitFor()
  t.is(await choice.inputValue(), other.agentId)
  t.false((await choice.locator('option').allInnerTexts()).includes('a removed agent'))
})
