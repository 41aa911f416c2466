// Connecting a client of MCP by the address of the service: the official client, and the person at the consent page.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { auth } from '@modelcontextprotocol/client'
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { rawRequest } from '../../support/mcpPost.js'
import { Connecting, newRequest, postForm, toolsOf } from '../../support/oauth.js'
import { RECIPIENT } from '../../support/payments.js'
import { PASSWORD } from '../../support/people.js'
import { wholeFile, type Scope } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
/** Nobody turns governance off alone. */
let governed: ApprovalStage
let device: Device
test.before('services run, and a client listens for its code', async () => {
  stage = await startApprovals(scope)
  governed = await startApprovals(scope)
  device = await listening(scope)
})
const { browse } = browsing(test, () => stage.url)
const goesTo = () => [device.redirectUrl]

interface Device {
  redirectUrl: string
  /** The parameters of the last request to it. */
  got: URLSearchParams
}

/** Where the client waits for its code, as desktop clients do: on a port of the person's own machine. */
async function listening(scope: Scope): Promise<Device> {
  const device: Device = { redirectUrl: '', got: new URLSearchParams() }
  const server = createServer((req, res) => {
    device.got = new URL(req.url!, device.redirectUrl).searchParams
    // No icon is asked for elsewhere.
    res.setHeader('Content-Type', 'text/html')
    res.end('<link rel="icon" href="data:,"><p>You may close this window')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.teardown(() => void server.close())
  device.redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return device
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const statusWith = async (token: string): Promise<number> => (await rawRequest(stage.url, token, LIST)).status

browse(
  'a client that knows the address alone is connected, calls, renews and gives up what it was granted',
  async (t, page) => {
    const { agentId } = await stage.supervised({
      name: 'Errands',
      terms: { spendLimitDaily: 240, spendLimitPerTx: 200 },
    })
    const person = await stage.person('MANAGER')
    const client = new Connecting(device.redirectUrl)
    const serverUrl = `${stage.url}/mcp`
    t.is(await auth(client, { serverUrl }), 'REDIRECT')
    await page.goto(client.sentTo!.href)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor()
    await page.getByText('Desk', { exact: true }).waitFor()
    await page.getByText(device.redirectUrl, { exact: true }).waitFor()
    await page.getByLabel('Agent').selectOption('Errands')
    await page.getByRole('heading', { name: 'What it could spend today' }).waitFor()
    await page.getByText('240.00 USDC, at most 200.00 USDC in one payment').waitFor()
    await page.getByText('Above 100.00 USDC a person must approve.').waitFor()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.waitForURL(`${device.redirectUrl}*`)
    t.is(device.got.get('state'), 'state-1')
    const iss = device.got.get('iss')!
    t.is(await auth(client, { serverUrl, authorizationCode: device.got.get('code')!, iss }), 'AUTHORIZED')
    const call = await toolsOf(scope, stage, client)
    const asked = await call('request_payment', { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'A' })
    t.is(asked.structuredContent['status'], 'APPROVED')
    // It was not let execute.
    t.true((await call('execute_payment', { requestId: asked.structuredContent['requestId'] })).isError)
    const { access_token: first } = client.kept!
    // The official client renews by itself.
    t.is(await auth(client, { serverUrl }), 'AUTHORIZED')
    const { access_token: token } = client.kept!
    t.not(token, first)
    t.is(await statusWith(token), 200)
    t.is((await postForm(stage, 'revoke', { token, client_id: client.client!.client_id })).status, 200)
    t.is(await statusWith(token), 401)
    await openAs(page, person, stage.url, `agents/${agentId}`)
    await page.getByText('app at 127.0.0.1').waitFor()
  },
  { goesTo },
)

browse(
  'refusing tells the client, and grants nothing',
  async (t, page) => {
    await stage.supervised({ name: 'Refused' })
    const client = new Connecting(device.redirectUrl)
    await auth(client, { serverUrl: `${stage.url}/mcp` })
    await openAs(page, await stage.person('MANAGER'), stage.url)
    await page.goto(client.sentTo!.href)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(`${device.redirectUrl}*`)
    t.is(device.got.get('error'), 'access_denied')
    t.is(device.got.get('state'), 'state-1')
    t.is(device.got.get('code'), null)
  },
  { goesTo },
)

browse('a member who may not let clients act is told whom to ask', async (t, page) => {
  const person = await stage.person('VIEWER')
  const request = await newRequest(stage.client, person.cookie)
  await openAs(page, person, stage.url)
  await page.goto(`${stage.url}/connect?${new URLSearchParams({ request }).toString()}`)
  await page.getByText('Your role may not connect apps').waitFor()
  t.is(await page.getByRole('button', { name: 'Connect' }).count(), 0)
})

browse(
  'a consent that must be approved waits on the page, and goes on once it is',
  async (t, page) => {
    await governed.supervised({ name: 'Governed' })
    const [asker, owner] = [await governed.person('MANAGER'), await governed.person('OWNER')]
    const governance = { enabled: true, actions: ['key.create'] }
    await governed.asPerson(owner, 'PATCH', '/api/organization', { governance })
    const client = new Connecting(device.redirectUrl)
    await auth(client, { serverUrl: `${governed.url}/mcp` })
    await openAs(page, asker, governed.url)
    await page.goto(client.sentTo!.href)
    await page.getByLabel('Agent').selectOption('Governed')
    await page.getByLabel('Let it execute payments').check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('requires approval').first().waitFor()
    const [waiting] = await governed.requests('PENDING')
    t.is((await governed.decide(owner.cookie, waiting!.id)).status, 200)
    await page.getByText('Your consent was approved').waitFor()
    t.true(await page.getByLabel('Let it execute payments').isChecked())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${device.redirectUrl}*`)
    t.truthy(device.got.get('code'))
  },
  { goesTo: () => [governed.url, device.redirectUrl] },
)

browse('no other site shows the page in a frame', async (t, page) => {
  const person = await stage.person('MANAGER')
  const request = await newRequest(stage.client, person.cookie)
  await openAs(page, person, stage.url)
  // A page of its own, because the browser's refusal is an error there.
  const other = await page.context().newPage()
  await other.goto(device.redirectUrl)
  const src = `${stage.url}/connect?${new URLSearchParams({ request }).toString()}`
  const refused = other.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await other.evaluate(`document.body.innerHTML = '<iframe src="${src}"></iframe>'`)
  t.regex((await refused).text(), /frame-ancestors 'none'/)
  t.false(other.frames().some((frame) => frame.url().startsWith(stage.url)))
})
