// Deciding in a browser: a payment on a phone, a change by a second person, and who may not decide.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import { browsing, PHONE } from './browser.js'
import { openAs } from './people.js'
import type { CounterpartyList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

const ON_A_PHONE = { viewport: PHONE, isMobile: true, hasTouch: true }

browse(
  'a payment is approved on a phone, from the queue, with a comment',
  async (t, page) => {
    const agent = await stage.supervised({ name: 'Researcher' })
    const { requestId, approvalRequestId } = await stage.waiting(agent, { purpose: 'A year of <b>weather</b>' })
    await openAs(page, await stage.person(), stage.url, 'approvals')
    await page.getByRole('link', { name: /^150\.00 USDC to/ }).click()
    // What agents write is text, whatever it looks like.
    await page.getByText('A year of <b>weather</b>').waitFor()
    await page.getByText('The amount 150 is above 100').first().waitFor()
    await page.getByRole('button', { name: 'Add a comment' }).tap()
    await page.getByLabel('Comment').fill('As planned')
    await page.getByRole('button', { name: 'Approve' }).tap()
    await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor()
    const { decisions } = await stage.request(approvalRequestId)
    t.deepEqual(
      decisions.map(({ decision, comment }) => [decision, comment]),
      [['APPROVED', 'As planned']],
    )
    t.is((await stage.shown(agent, requestId)).status, 'APPROVED')
  },
  ON_A_PHONE,
)

browse(
  'the decision buttons are visible on a phone without scrolling',
  async (t, page) => {
    const { approvalRequestId } = await stage.waiting(await stage.supervised())
    await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
    const box = await page.getByRole('button', { name: 'Approve' }).boundingBox()
    t.true(box !== null && box.y + box.height <= PHONE.height, JSON.stringify(box))
  },
  ON_A_PHONE,
)

browse("a recipient's name that only the agent gave is shown as its claim, with the whole address", async (t, page) => {
  const recipient = { recipientAddress: '0x00000000000000000000000000000000000000b5', recipientName: 'The tax office' }
  const { requestId, approvalRequestId } = await stage.waiting(await stage.supervised(), recipient)
  await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
  await page.getByText('named by the agent').first().waitFor()
  const to = page.locator('.brief dd').filter({ hasText: recipient.recipientAddress })
  await to.getByText('name given by an agent').waitFor()
  t.regex(await to.innerText(), /^The tax office Unknown\s+name given by an agent, not verified\s+0x/)
  await page.goto(`${stage.url}/#/payments/${requestId}`)
  const heading = page.getByRole('heading', { level: 1, name: /^150\.00 USDC to/ })
  await heading.waitFor()
  t.notRegex(await heading.innerText(), /tax office/)
  await page.goto(`${stage.url}/#/payments`)
  const claim = page.getByRole('link', { name: 'The tax office' }).getByTitle('Name given by the agent, not verified')
  await claim.waitFor()
})

browse(
  'characters that turn the direction of text are shown by their codes, and an agent is said to have named it',
  async (t, page) => {
    const agent = await stage.supervised()
    const recipientAddress = '0x00000000000000000000000000000000000000b6'
    const upserted = { name: 'The tax office', address: recipientAddress }
    t.is((await stage.client.post('/api/sdk/counterparties', agent.key, upserted)).status, 200)
    const asked = { recipientAddress, purpose: 'Invoice \u202e1002\u202c', context: { memo: 'x\u2066y' } }
    const { approvalRequestId } = await stage.waiting(agent, asked)
    await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
    await page.getByText('Invoice [U+202E]1002[U+202C]').waitFor()
    await page.getByText('x[U+2066]y').waitFor()
    await page.getByText('name given by an agent, not verified').first().waitFor()
    t.notRegex(await page.locator('body').innerText(), /[\u202a-\u202e\u2066-\u2069]/u)
  },
)

browse("an agent's context is shown as it was written, and lends it no names", async (t, page) => {
  const agent = await stage.supervised({ name: 'Researcher of another' })
  const context = {
    agentId: agent.agentId,
    approvedBy: { type: 'AGENT', id: agent.agentId },
    kind: { type: 'constructor', id: 'x' },
  }
  const { requestId, approvalRequestId } = await stage.waiting(agent, { context })
  await openAs(page, await stage.person(), stage.url)
  for (const place of [`approvals/${approvalRequestId}`, `payments/${requestId}`]) {
    await page.goto(`${stage.url}/#/${place}`)
    const shown = page.locator('.facts > div').filter({ hasText: 'Approved by' })
    await shown.getByText(agent.agentId, { exact: true }).first().waitFor()
    t.notRegex(await shown.innerText(), /Researcher/)
    t.is(await shown.getByRole('link').count(), 0)
  }
})

browse('a name that only an agent gave is marked in the audit log and in a test payment', async (t, page) => {
  const agent = await stage.supervised()
  const recipientAddress = '0x00000000000000000000000000000000000000b7'
  const upserted = { name: 'The customs office', address: recipientAddress }
  t.is((await stage.client.post('/api/sdk/counterparties', agent.key, upserted)).status, 200)
  await stage.pay(agent, 20, { recipientAddress, recipientName: upserted.name })
  await openAs(page, await stage.person(), stage.url, 'audit')
  const claim = page.getByTitle('Name given by the agent, not verified').getByText(upserted.name)
  await page.locator('.entry-says').filter({ hasText: 'named counterparty' }).filter({ has: claim }).waitFor()
  await page.goto(`${stage.url}/#/agents/${agent.agentId}`)
  await page.getByRole('button', { name: 'Test payment' }).click()
  await page.getByRole('button', { name: 'Try' }).click()
  await page.getByText('To whom the agent has paid last').filter({ has: claim }).waitFor()
  t.pass()
})

browse('an approver sees the invoice, the attempt and what is bought, as text', async (t, page) => {
  const agent = await stage.supervised()
  const named = {
    paymentKey: 'INV-2031/<b>7</b>',
    reference: 'Order 12',
    sessionId: 'Session 3',
    lineItems: [{ description: 'Seats <i>for a year</i>', quantity: 3, unitAmount: 50 }],
  }
  await stage.ask(agent, 2_000_000, { paymentKey: named.paymentKey })
  const { requestId, approvalRequestId } = await stage.waiting(agent, named)
  await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
  for (const place of [undefined, `payments/${requestId}`]) {
    if (place) await page.goto(`${stage.url}/#/${place}`)
    for (const text of [named.paymentKey, 'Order 12', 'Session 3', 'Seats <i>for a year</i>']) {
      await page.getByText(text).first().waitFor()
    }
    t.true((await page.locator('.facts').allInnerTexts()).some((text) => /Attempt\s+2/.test(text)))
  }
})

browse('a released payment keeps its purchase, unless the administrator says that it was not paid', async (t, page) => {
  const address = `0x${'c7'.repeat(20)}`
  const agent = await stage.supervised({ wallet: { custodyType: 'EXTERNAL', address } })
  const { requestId } = await stage.ask(agent, 5, { paymentKey: 'order-9' })
  await stage.client.post(`/api/sdk/payments/${requestId}/approve`, agent.key)
  await openAs(page, await stage.person(), stage.url, `payments/${requestId}`)
  await page.getByRole('button', { name: 'Release' }).click()
  await page.getByLabel('Reason').fill('The chain shows nothing')
  await page.getByLabel('It was not paid').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
  await page.getByText('The payment was released').first().waitFor()
  t.like(await stage.ask(agent, 5, { paymentKey: 'order-9' }), { status: 'APPROVED', attempt: 2 } as never)
})

browse('a decision shows on an open page of the payment without a reload', async (t, page) => {
  const { requestId, approvalRequestId } = await stage.waiting(await stage.supervised())
  await openAs(page, await stage.person(), stage.url, `payments/${requestId}`)
  await page.getByText('Approval required.').waitFor()
  await stage.decide((await stage.person()).cookie, approvalRequestId, 'DENIED', 'No')
  await page.getByText('Denied by an approver.').waitFor()
  t.pass()
})

browse('a payment that is decided again as before says so, although its policies have changed', async (t, page) => {
  const { policy, agent } = await stage.governed([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 50 }])
  const { requestId } = await stage.pay(agent, 20)
  const limit = (value: number) =>
    stage.must('PUT', `/api/policies/${policy.id}/rules`, {
      rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value }],
    })
  await limit(60)
  await openAs(page, await stage.person(), stage.url, `payments/${requestId}`)
  const again = page.getByRole('button', { name: 'Re-evaluate with current policies' })
  await again.click()
  const same =
    'Current result: approved, as before, although the policies have changed since. The payment was not changed.'
  await page.getByText(same).waitFor()
  await limit(10)
  await again.click()
  await page
    .getByText('Current result: denied, which differs from the decision. The payment was not changed.')
    .waitFor()
  t.pass()
})

browse('a VIEWER is informed that the role may not decide', async (t, page) => {
  const { approvalRequestId } = await stage.waiting(await stage.supervised())
  await openAs(page, await stage.person('VIEWER'), stage.url, `approvals/${approvalRequestId}`)
  await page.getByText('Your role cannot decide approvals').waitFor()
  t.is(await page.getByRole('button', { name: 'Approve' }).count(), 0)
})

browse('a change that needs a second person is requested, shown, and approved by another', async (t, page) => {
  const [asking, deciding] = [await stage.person('OWNER'), await stage.person('OWNER')]
  const on = { governance: { enabled: true, actions: ['counterparty.trust', 'policy.update'] } }
  await stage.asPerson(asking, 'PATCH', '/api/organization', on)
  const recipient = { name: 'Weather Ltd', address: '0x00000000000000000000000000000000000000a7' }
  const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', recipient)
  await openAs(page, asking, stage.url, `counterparties/${id}`)
  await page.getByRole('button', { name: 'Trust' }).click()
  await page.getByLabel('Reason').fill('Known for years')
  await page.getByRole('dialog').getByRole('button', { name: 'Trust' }).click()
  await page.getByRole('link', { name: 'View request' }).click()
  await page.getByText('You requested this, so someone else must decide.').waitFor()
  await page.context().clearCookies()
  const place = new URL(page.url()).hash.slice(2)
  await openAs(page, deciding, stage.url, place)
  await page.getByText('Known for years').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The change is Applied').waitFor()
  const { status } = await stage.must<{ status: string }>('GET', `/api/counterparties/${id}`)
  t.is(status, 'TRUSTED')
})

browse('a held change is shown in its form, and is not requested twice without an edit', async (t, page) => {
  const owner = await stage.person('OWNER')
  await openAs(page, owner, stage.url, 'settings/general')
  await page.getByLabel('Time zone').fill('Europe/Paris')
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await page.locator('form').getByText('This change requires approval').waitFor()
  t.true(await save.isDisabled())
  await page.getByLabel('Time zone').fill('Europe/Rome')
  t.false(await save.isDisabled())
  t.is(await page.locator('form').getByText('This change requires approval').count(), 0)
})

const TWO_RULES = [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 50 },
  { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 },
]

browse('a held edit of rules can be followed by another that only a button makes', async (t, page) => {
  const { policy } = await stage.governed(TWO_RULES)
  await openAs(page, await stage.person('OWNER'), stage.url, `policies/${policy.id}/rules`)
  await page.getByLabel('Amount in USDC').first().fill('40')
  const save = page.getByRole('button', { name: 'Save as new version' })
  await save.click()
  await page.locator('form').getByText('This change requires approval').waitFor()
  await page.getByRole('button', { name: 'Remove this rule' }).first().click()
  t.false(await save.isDisabled())
})

browse('typing in a field does not lead to another one that is wrong', async (t, page) => {
  const { policy } = await stage.governed(TWO_RULES)
  await openAs(page, await stage.person('OWNER'), stage.url, `policies/${policy.id}/rules`)
  const [first, second] = [page.getByLabel('Amount in USDC').first(), page.getByLabel('Amount in USDC').nth(1)]
  await first.fill('-5')
  await page.locator('[aria-invalid="true"]').first().waitFor()
  await second.fill('')
  await second.pressSequentially('275')
  t.is(await second.inputValue(), '275')
})

browse('an address that was never paid is named as such, also one that the agent has registered', async (t, page) => {
  const address = '0x00000000000000000000000000000000000000c1'
  const agent = await stage.supervised()
  const known = { name: 'Known only to the agent', address }
  await stage.client.post('/api/sdk/counterparties', agent.key, known)
  const { approvalRequestId } = await stage.waiting(agent, { recipientAddress: address })
  await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
  const never = page.getByText('Your organization has not paid this address before.')
  await never.waitFor()
  await stage.pay(agent, 5, { recipientAddress: address })
  await page.reload()
  await page.getByText('1 payment, ').waitFor()
  t.is(await never.count(), 0)
  const { counterparties } = await stage.must<CounterpartyList>('GET', `/api/counterparties?search=${address}`)
  await stage.must('DELETE', `/api/counterparties/${counterparties[0]!.id}`)
  await page.reload()
  await page.getByText('This address is not one of your counterparties.').waitFor()
  t.is(await never.count(), 0)
})
