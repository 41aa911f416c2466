// Only one answer shows the first signing secret: if that answer is lost, the SDK throws instead of reporting success.
import test, { type ExecutionContext } from 'ava'
import { BursarAdmin } from '../../sdk/index.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'
import { wholeFile } from '../support/process.js'
import { proxyTo, type Proxy } from './proxy.js'
import { thrownBy } from './thrown.js'

type Faults = Parameters<typeof proxyTo>[2]

const ONE = 'https://events.example.com/one'
const OTHER = 'https://events.example.com/other'
const SECRET = /^whsec_/
const LOST = { code: 'TIMEOUT', status: 0 }

const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

interface Stage {
  admin: BursarAdmin
  /** The same organization behind a proxy that applies these faults in order. */
  behind(faults: Faults): Promise<{ admin: BursarAdmin; proxy: Proxy }>
}

/** An organization that has no secret yet. */
async function begin(t: ExecutionContext): Promise<Stage> {
  const operator = new BursarAdmin({ apiKey: OPERATOR_KEY, baseUrl: service.url })
  const { apiKey } = await operator.organizations.create(t.title.slice(-100))
  return {
    admin: new BursarAdmin({ apiKey, baseUrl: service.url }),
    behind: async (faults) => {
      const proxy = await proxyTo(t, service.url, faults)
      return { admin: new BursarAdmin({ apiKey, baseUrl: proxy.url }), proxy }
    },
  }
}

const newAgent = ({ admin }: Stage, name = 'Buyer') => admin.agents.create({ name, agentType: 'CUSTOM' })

test('A lost first secret is reported as an error, and rotateSecret makes a new one', async (t) => {
  const stage = await begin(t)
  const { admin } = await stage.behind(['none', 'unavailable'])
  const lost = await thrownBy(admin.webhooks.set(ONE))
  t.like(lost, LOST)
  t.regex(lost.message, /secret.*rotateSecret/)
  t.like(await stage.admin.webhooks.get(), { url: ONE, webhookConfigured: true })
  t.regex((await stage.admin.webhooks.rotateSecret()).webhookSecret, SECRET)
})

test('A first secret that was not lost is returned, also after failed attempts', async (t) => {
  for (const faults of [[], ['none', 'unreachable'], ['unavailable', 'none']] as Faults[]) {
    const { admin } = await (await begin(t)).behind(faults)
    t.regex((await admin.webhooks.set(ONE)).webhookSecret!, SECRET, faults.join())
  }
})

test('If answers stay lost or 5xx, the error says that a secret may be lost', async (t) => {
  for (const [fault, code] of [
    ['cut', 'TIMEOUT'],
    ['unavailable', 'UNAVAILABLE'],
  ] as const) {
    const { admin } = await (await begin(t)).behind(['none', fault, fault, fault, fault])
    const lost = await thrownBy(admin.webhooks.set(ONE))
    t.is(lost.code, code)
    t.regex(lost.message, /secret.*rotateSecret/)
  }
  const { admin } = await (await begin(t)).behind([])
  t.notRegex((await thrownBy(admin.webhooks.set('nowhere'))).message, /rotateSecret/)
})

test('The URL of an existing endpoint is changed, with and without retries', async (t) => {
  for (const faults of [['none'], ['none', 'unavailable'], ['none', 'unavailable', 'unavailable']] as Faults[]) {
    const stage = await begin(t)
    t.regex((await stage.admin.webhooks.set(ONE)).webhookSecret!, SECRET)
    const { admin } = await stage.behind(faults)
    const changed = await admin.webhooks.set(OTHER)
    t.like(changed, { url: OTHER, webhookConfigured: true })
    t.is(changed.webhookSecret, undefined)
  }
})

test('An endpoint that is set again keeps its secret, but a lost answer is still an error', async (t) => {
  const stage = await begin(t)
  await stage.admin.webhooks.set(ONE)
  await stage.admin.webhooks.delete()
  t.is((await stage.admin.webhooks.set(OTHER)).webhookSecret, undefined)
  await stage.admin.webhooks.delete()
  const { admin } = await stage.behind(['none', 'unavailable'])
  t.like(await thrownBy(admin.webhooks.set(ONE)), LOST)
  t.is((await admin.webhooks.set(ONE)).webhookSecret, undefined)
})

test("A lost first secret that an agent's callback URL created is an error, too", async (t) => {
  const stage = await begin(t)
  const { id } = await newAgent(stage)
  const { admin } = await stage.behind(['none', 'none', 'unavailable'])
  const lost = await thrownBy(admin.agents.update(id, { callbackUrl: ONE }))
  t.like(lost, LOST)
  t.regex(lost.message, /secret.*rotateSecret/)
  t.like(await stage.admin.agents.get(id), { callbackUrl: ONE })
  const other = await begin(t)
  t.regex((await other.admin.agents.update((await newAgent(other)).id, { callbackUrl: ONE })).webhookSecret!, SECRET)
})

test("If a secret exists, an agent's callback URL is set, with and without retries", async (t) => {
  const stage = await begin(t)
  const [{ id: first }, { id: second }] = [await newAgent(stage), await newAgent(stage, 'Seller')]
  await stage.admin.agents.update(first, { callbackUrl: ONE })
  const changed = await stage.behind(['none', 'unavailable'])
  t.like(await changed.admin.agents.update(first, { callbackUrl: OTHER }), { callbackUrl: OTHER })
  await stage.admin.webhooks.set(ONE)
  const added = await stage.behind(['none', 'unavailable', 'none', 'unavailable'])
  t.like(await added.admin.agents.update(second, { callbackUrl: OTHER }), { callbackUrl: OTHER })
})

test('A change of an agent that creates no secret reads nothing beforehand', async (t) => {
  const stage = await begin(t)
  const { id } = await newAgent(stage)
  const { admin, proxy } = await stage.behind(['unavailable', 'none', 'unavailable'])
  t.like(await admin.agents.update(id, { name: 'Renamed' }), { name: 'Renamed' })
  t.like(await admin.agents.update(id, { callbackUrl: null }), { callbackUrl: null })
  t.deepEqual(new Set(proxy.sent.map(({ method }) => method)), new Set(['PATCH']))
})
