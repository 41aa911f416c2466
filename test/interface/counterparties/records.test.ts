// Counterparties as administrators keep them: what is stored and shown, what is refused, one record per address.
import test from 'ava'
import { readableEntry } from '../../../src/domain/audit/forms.js'
import { inspect } from '../../support/integrity.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { randomAddress, randomSolanaAddress } from '../../support/commands.js'
import { failureOf, NOON, openStage, type Stage } from './stage.js'

const scope = wholeFile(test)
let stage: Stage

test.before('the service starts', async () => {
  stage = await openStage(scope)
})

const root = '/api/counterparties'

test('a new counterparty shows the given fields, the defaults and no payments', async (t) => {
  const address = randomAddress()
  const { status, body } = await stage.post(root, { name: 'Paper Ltd', address })
  t.is(status, 201)
  t.regex(body.id, /^cpty_c[a-z0-9]{24}$/)
  const { id, createdAt, updatedAt, ...rest } = body
  t.true(Date.parse(createdAt) >= NOON && createdAt === updatedAt)
  t.deepEqual(rest, {
    name: 'Paper Ltd',
    nameSource: 'PERSON',
    address,
    status: 'UNKNOWN',
    trustScore: 20,
    category: 'OTHER',
    transactionCount: 0,
    totalVolume: 0,
    lastTransactionAt: null,
    notes: null,
    website: null,
    averageAmount: 0,
    networkTrust: { globalScore: 0, transactionCount: 0, organizationCount: 0, lastUpdated: null },
  })
  t.deepEqual((await stage.counterparty(id)).body, body)
})

test('every field can be set, changed and cleared', async (t) => {
  const given = {
    category: 'TOOLS',
    status: 'VERIFIED',
    notes: 'Ours since spring',
    website: 'https://paper.example.com',
  }
  const { id, address } = await stage.register(given)
  t.like((await stage.counterparty(id)).body, { ...given, address, trustScore: 30 })
  const changes = { name: 'Paper Inc', status: 'TRUSTED', notes: null, website: null, category: 'VENDOR' }
  const changed = await stage.put(id, changes)
  t.is(changed.status, 200)
  t.like(changed.body, { ...changes, trustScore: 40 })
  t.like((await stage.put(id, { notes: 'Again' })).body, { ...changes, notes: 'Again' })
})

const REFUSED: [title: string, body: object, code: string][] = [
  ['no name', { address: randomAddress() }, 'INVALID_INPUT'],
  ['no address', { name: 'Paper Ltd' }, 'INVALID_INPUT'],
  ['an empty name', { name: '', address: randomAddress() }, 'INVALID_INPUT'],
  ['a long name', { name: 'x'.repeat(201), address: randomAddress() }, 'INVALID_INPUT'],
  ['an unknown field', { name: 'Paper Ltd', address: randomAddress(), type: 'VENDOR' }, 'INVALID_INPUT'],
  ['an unknown status', { name: 'Paper Ltd', address: randomAddress(), status: 'GOOD' }, 'INVALID_INPUT'],
  ['an unknown category', { name: 'Paper Ltd', address: randomAddress(), category: 'tools' }, 'INVALID_INPUT'],
  [
    'a website in two lines',
    { name: 'Paper Ltd', address: randomAddress(), website: 'https://a.example/\nb' },
    'INVALID_INPUT',
  ],
  ['a note in two lines', { name: 'Paper Ltd', address: randomAddress(), notes: 'Two\nlines' }, 'INVALID_INPUT'],
  ['a script as website', { name: 'Paper Ltd', address: randomAddress(), website: 'javascript:1' }, 'INVALID_INPUT'],
  ['a malformed address', { name: 'Paper Ltd', address: 'somewhere' }, 'INVALID_ADDRESS'],
  ['a wrong checksum', { name: 'Paper Ltd', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed' }, 'INVALID_ADDRESS'],
  ['31 bytes of base58', { name: 'Paper Ltd', address: randomSolanaAddress().slice(0, -4) }, 'INVALID_ADDRESS'],
  ['the zero address', { name: 'Paper Ltd', address: `0x${'0'.repeat(40)}` }, 'INVALID_ADDRESS'],
  ["the asset's contract", { name: 'USDC', address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }, 'INVALID_ADDRESS'],
]

for (const [title, body, code] of REFUSED) {
  test(`${title} is refused with ${code}`, async (t) => {
    t.deepEqual(failureOf(await stage.post(root, body)), { status: 400, code })
  })
}

test('an EVM address is one counterparty in any letter case', async (t) => {
  const { address, id } = await stage.register()
  for (const same of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    t.deepEqual(failureOf(await stage.post(root, { name: 'Twin', address: same })), {
      status: 409,
      code: 'ALREADY_EXISTS',
    })
    const found = await stage.client.get<{ counterparty: { id: string } }>(
      `${root}/lookup?address=${same}`,
      ORGANIZATION_KEY,
    )
    t.is(found.body.counterparty.id, id)
  }
})

test('a Solana address is kept as given and registered once', async (t) => {
  const address = randomSolanaAddress()
  t.is((await stage.register({ address })).address, address)
  t.is((await stage.post(root, { name: 'Twin', address })).status, 409)
})

test('a lookup returns the counterparty at an address, or none', async (t) => {
  const { id, name, nameSource, address, status, trustScore } = await stage.register()
  const networkTrust = { globalScore: 0, transactionCount: 0, status: 'UNKNOWN' }
  const known = await stage.client.get(`${root}/lookup?address=${address}`, ORGANIZATION_KEY)
  t.deepEqual(known.body as object, {
    found: true,
    counterparty: { id, name, nameSource, address, status, trustScore },
    networkTrust,
  })
  const nobody = await stage.client.get(`${root}/lookup?address=${randomAddress()}`, ORGANIZATION_KEY)
  t.deepEqual(nobody.body as object, { found: false, counterparty: null, networkTrust })
  for (const path of ['lookup', 'network-trust']) {
    t.deepEqual(failureOf(await stage.client.get(`${root}/${path}?address=1`, ORGANIZATION_KEY)), {
      status: 400,
      code: 'INVALID_ADDRESS',
    })
    t.deepEqual(failureOf(await stage.client.get(`${root}/${path}`, ORGANIZATION_KEY)), {
      status: 400,
      code: 'INVALID_INPUT',
    })
  }
})

test('trust, block and unblock change the status and return the counterparty', async (t) => {
  const { id } = await stage.register()
  const status = async (verb: string, body?: object) => (await stage.post(`${root}/${id}/${verb}`, body)).body.status
  t.deepEqual(failureOf(await stage.post(`${root}/${id}/unblock`)), { status: 400, code: 'INVALID_STATUS' })
  t.is(await status('block', { reason: 'Fraud' }), 'BLOCKED')
  t.is((await stage.counterparty(id)).body.trustScore, 0)
  t.is(await status('unblock'), 'UNKNOWN')
  t.is(await status('trust', { reason: 'Known for years' }), 'TRUSTED')
  t.is(await status('block', { reason: 'Sold' }), 'BLOCKED')
  t.is(await status('trust', { reason: 'Sold back' }), 'TRUSTED')
  for (const [verb, body] of [
    ['block', {}],
    ['trust', { reason: '' }],
    ['block', { reason: 'x'.repeat(501) }],
  ] as const) {
    t.deepEqual(failureOf(await stage.post(`${root}/${id}/${verb}`, body)), { status: 400, code: 'INVALID_INPUT' })
  }
  for (const verb of ['trust', 'block', 'unblock']) {
    const body = verb === 'unblock' ? undefined : { reason: 'Test' }
    const answer = await stage.post(`${root}/cpty_${'c'.padEnd(25, '0')}/${verb}`, body)
    t.deepEqual(failureOf(answer), { status: 404, code: 'NOT_FOUND' })
  }
})

test('setting the status can block and unblock', async (t) => {
  const { id } = await stage.register()
  for (const status of ['BLOCKED', 'VERIFIED', 'BLOCKED', 'UNKNOWN', 'BLOCKED', 'TRUSTED']) {
    t.is<string, string>((await stage.put(id, { status })).body.status, status)
  }
})

test('every change is in the audit log, a block with its reason', async (t) => {
  const own = await openStage(t)
  const { id } = await own.register()
  await own.post(`${root}/${id}/block`, { reason: 'Fraud' })
  await own.post(`${root}/${id}/unblock`)
  await own.put(id, { name: 'Other' })
  await own.remove(id)
  await own.stop()
  const { chains, problems } = await inspect(own.folder)
  const entries = [...chains.values()]
    .flat()
    .map(readableEntry)
    .filter((entry) => entry.resourceId === id)
  t.deepEqual(
    entries.map(({ action }) => action),
    ['counterparty.create', 'counterparty.block', 'counterparty.unblock', 'counterparty.update', 'counterparty.delete'],
  )
  t.like(entries[1]!.data, { state: { to: 'blocked' }, reason: { to: 'Fraud' } })
  t.deepEqual(problems, [])
})

test('the reason of a block survives setting it again and registering the address again', async (t) => {
  const own = await openStage(t)
  const { id, address } = await own.register()
  await own.post(`${root}/${id}/block`, { reason: 'Fraud' })
  await own.put(id, { status: 'BLOCKED', name: 'Other' })
  await own.remove(id)
  await own.register({ address, status: 'UNKNOWN' })
  await own.post(`${root}/${id}/block`, { reason: 'More fraud' })
  await own.stop()
  const { chains } = await inspect(own.folder)
  const entries = [...chains.values()]
    .flat()
    .map(readableEntry)
    .filter((entry) => entry.resourceId === id)
  const reasons = entries.map(({ data }) => (data as { reason?: unknown }).reason)
  t.deepEqual(reasons, [
    undefined,
    { to: 'Fraud' },
    undefined,
    undefined,
    undefined,
    { from: 'Fraud', to: 'More fraud' },
  ])
})

test('a change that races a deletion comes before it or answers NOT_FOUND, and none comes after it', async (t) => {
  const { id } = await stage.register()
  const changes = [
    () => stage.post(`${root}/${id}/block`, { reason: 'Fraud' }),
    () => stage.post(`${root}/${id}/trust`, { reason: 'Known' }),
    () => stage.put(id, { name: 'Other' }),
  ]
  const [removed, ...racing] = await Promise.all([stage.remove(id), ...changes.map((change) => change())])
  t.is(removed.status, 200)
  for (const answer of racing)
    t.true(answer.status === 200 || failureOf(answer).code === 'NOT_FOUND', JSON.stringify(answer.body))
  for (const change of changes) t.deepEqual(failureOf(await change()), { status: 404, code: 'NOT_FOUND' })
  const path = `/api/audit-logs?resourceId=${id}`
  const { entries } = (await stage.client.get<{ entries: { action: string }[] }>(path, ORGANIZATION_KEY)).body
  t.is(entries[0]!.action, 'counterparty.delete')
  t.is(entries.length, 2 + racing.filter(({ status }) => status === 200).length)
})
