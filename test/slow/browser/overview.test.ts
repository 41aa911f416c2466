// The overview in a browser where there is little to show: what it says then, and if it does not cover everything.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { ask } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

browse('an organization without agents is guided to its first', async (t, page) => {
  await openAs(page, await stage.person('VIEWER'), stage.url)
  await page.getByRole('link', { name: 'Set up an agent' }).waitFor()
  t.pass()
})

browse('if all agents are paused, the overview shows its figures and that no agent may pay', async (t, page) => {
  const agent = await stage.agent({ name: 'Paused one' })
  await ask(stage.client, agent.key, 5)
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  await openAs(page, await stage.person(), stage.url)
  await page.getByText('No active agents').waitFor()
  await page.getByRole('link', { name: /^Failed deliveries/ }).waitFor()
  t.is(await page.getByRole('link', { name: 'Set up an agent' }).count(), 0)
})

browse('if there are more agents than it reads, the overview says how many its limits cover', async (t, page) => {
  await stage.agent({ name: 'The oldest' })
  for (let at = 0; at < 25; at += 1) {
    await stage.must('POST', '/api/agents', { name: `Agent ${at}`, agentType: 'CUSTOM' })
  }
  await openAs(page, await stage.person(), stage.url)
  await page.getByText('Among the 25 newest of 26 active agents.').waitFor()
  t.pass()
})
