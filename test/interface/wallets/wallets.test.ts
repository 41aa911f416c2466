// Wallets as administrators see them: custody, chains, addresses, the simulated balance, and their end.
import test from 'ava'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, execute, fundedAgent, type Decision } from '../../support/payments.js'
import { randomAddress, randomSolanaAddress } from '../../support/commands.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { PaymentList, Wallet } from '../../../sdk/api.js'

const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

const create = (body: object = {}, key = ORGANIZATION_KEY) =>
  service.client.post<Wallet>('/api/wallets', key, { name: 'Main', custodyType: 'MANAGED', ...body })
const read = (id: string) => service.client.get<Wallet>(`/api/wallets/${id}`, ORGANIZATION_KEY)
const patch = (id: string, body: object) =>
  service.client.send<Wallet>('PATCH', `/api/wallets/${id}`, ORGANIZATION_KEY, body)
const remove = (id: string) => service.client.send<{ success: true }>('DELETE', `/api/wallets/${id}`, ORGANIZATION_KEY)
const fund = (id: string, amount: unknown) =>
  service.client.post<Wallet>(`/api/wallets/${id}/fund`, ORGANIZATION_KEY, { amount })
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const typesOf = ({ body }: Answer<Decision>) => (body.violations ?? []).map(({ type }) => type)
const newName = (): string => `Agent of ${randomAddress()}`

test('a managed wallet gets its own address on the default chain and a balance of 0', async (t) => {
  const { status, body } = await create()
  t.is(status, 201)
  t.regex(body.id, /^c[a-z0-9]{24}$/)
  t.regex(body.address, /^0x[0-9a-fA-F]{40}$/)
  t.deepEqual(Object.keys(body).sort(), [
    'address',
    'addressProved',
    'balance',
    'chainId',
    'chainType',
    'createdAt',
    'currency',
    'custodyType',
    'enforcement',
    'id',
    'name',
    'reserved',
    'status',
    'updatedAt',
    'walletType',
  ])
  t.like(body, {
    name: 'Main',
    walletType: 'EOA',
    chainType: 'EVM',
    chainId: '84532',
    custodyType: 'MANAGED',
    enforcement: 'SIGNER',
    balance: 0,
    currency: 'USDC',
    status: 'ACTIVE',
  })
  t.deepEqual((await read(body.id)).body, body)
  t.not((await create()).body.address, body.address)
})

const CHAINS: [given: object, shown: object][] = [
  [{ chainId: '8453' }, { chainId: '8453', chainType: 'EVM' }],
  [{ chainId: 8453 }, { chainId: '8453' }],
  [{ chainId: 1 }, { chainId: '1' }],
  [{ chainId: '42161' }, { chainId: '42161' }],
  [{ chainId: '137' }, { chainId: '137' }],
  [{ chainId: 31337 }, { chainId: '31337' }],
]

test('a wallet is on one of the known chains, given as text or as a number', async (t) => {
  for (const [given, shown] of CHAINS) t.like((await create(given)).body, shown)
  const solana = { chainType: 'SOLANA', custodyType: 'EXTERNAL', address: randomSolanaAddress() }
  t.like((await create(solana)).body, { chainId: 'solana-devnet', ...solana })
  t.like((await create({ ...solana, chainId: 'solana-mainnet' })).body, { chainId: 'solana-mainnet' })
})

test('in test settlement a provider wallet on an EVM chain needs no address', async (t) => {
  for (const custodyType of ['PROVIDER_A', 'PROVIDER_B']) {
    const { status, body } = await create({ custodyType })
    t.is(status, 201, custodyType)
    t.like(body, { enforcement: 'SIGNER' })
    t.regex(body.address, /^0x[0-9a-fA-F]{40}$/)
    const solana = (await create({ custodyType, chainType: 'SOLANA' })) as Answer<unknown> as Answer<Failure>
    t.is(solana.body.code, 'VALIDATION_ERROR')
  }
})

test('every custody type is accepted, and wallets that the service does not hold need an address', async (t) => {
  for (const custodyType of ['EXTERNAL', 'SMART_CONTRACT']) {
    const answer = (await create({ custodyType })) as Answer<unknown> as Answer<Failure>
    t.deepEqual(failureOf(answer), { status: 400, code: 'VALIDATION_ERROR' }, custodyType)
    t.is(answer.body.details![0]!.path, 'address')
    const address = randomAddress()
    t.like((await create({ custodyType, address, walletType: 'SAFE' })).body, {
      custodyType,
      enforcement: 'COOPERATIVE',
      address,
      walletType: 'SAFE',
    })
  }
})

const BAD_SUM = `0x${'Ab'.repeat(20)}`
const REFUSED: [why: string, body: object, code: string][] = [
  ['no name', { name: undefined }, 'VALIDATION_ERROR'],
  ['an empty name', { name: '' }, 'VALIDATION_ERROR'],
  ['a long name', { name: 'x'.repeat(101) }, 'VALIDATION_ERROR'],
  ['no custody', { custodyType: undefined }, 'VALIDATION_ERROR'],
  ['an unknown custody', { custodyType: 'SOMEBODY' }, 'VALIDATION_ERROR'],
  ['an unknown chain', { chainId: '2' }, 'VALIDATION_ERROR'],
  ['a chain called constructor', { chainId: 'constructor' }, 'VALIDATION_ERROR'],
  ['a chain of another type', { chainId: 'solana-devnet' }, 'VALIDATION_ERROR'],
  [
    'an EVM chain for Solana',
    { chainType: 'SOLANA', chainId: '1', address: randomSolanaAddress() },
    'VALIDATION_ERROR',
  ],
  ['a Solana address on an EVM chain', { address: randomSolanaAddress() }, 'INVALID_ADDRESS'],
  ['an EVM address on Solana', { chainType: 'SOLANA', address: randomAddress() }, 'INVALID_ADDRESS'],
  ['a wrong checksum', { address: BAD_SUM }, 'INVALID_ADDRESS'],
  ['a malformed address', { address: '0x12' }, 'INVALID_ADDRESS'],
  ['an address that is null', { address: null }, 'INVALID_ADDRESS'],
  ['a balance', { balance: 5 }, 'VALIDATION_ERROR'],
]

for (const [why, body, code] of REFUSED) {
  test(`a wallet with ${why} is refused`, async (t) => {
    t.deepEqual(failureOf(await create({ custodyType: 'EXTERNAL', address: randomAddress(), ...body })), {
      status: 400,
      code,
    })
  })
}

test('creating a wallet at an existing address and chain returns that wallet, in any letter case', async (t) => {
  const address = randomAddress()
  const given = { custodyType: 'EXTERNAL', address }
  const { status, body } = await create({ ...given, name: 'First' })
  t.is(status, 201)
  const again = await create({ ...given, name: 'Second', address: address.toLowerCase() })
  t.is(again.status, 200)
  t.deepEqual(again.body, body)
  const elsewhere = await create({ ...given, chainId: '1' })
  t.is(elsewhere.status, 201)
  t.not(elsewhere.body.id, body.id)
  const other = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  t.is((await create(given, other.body.apiKey)).status, 201)
  const atOnce = await Promise.all(
    Array.from({ length: 10 }, () => create({ custodyType: 'EXTERNAL', address: body.address, chainId: '137' })),
  )
  t.is(new Set(atOnce.map((answer) => answer.body.id)).size, 1)
  t.is(atOnce.filter((answer) => answer.status === 201).length, 1)
})

test('an address whose key the service made is a wallet of its organization alone', async (t) => {
  const { body } = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Maker' })
  const { address } = (await create()).body
  for (const custodyType of ['PROVIDER_A', 'MANAGED', 'EXTERNAL', 'SMART_CONTRACT']) {
    for (const chainId of ['84532', '8453']) {
      const refused = await create({ custodyType, address, chainId }, body.apiKey)
      t.deepEqual(failureOf(refused), { status: 400, code: 'WALLET_CONFIG_ERROR' }, custodyType)
    }
  }
  t.is((await create({ custodyType: 'PROVIDER_A', address, chainId: '1' })).status, 201)
  const given = randomAddress()
  t.is((await create({ custodyType: 'MANAGED', address: given })).status, 201)
  const free = await create({ custodyType: 'PROVIDER_A', address: given }, body.apiKey)
  t.is(free.status, 201, 'the service made no key of it, and to name it proves nothing')
})

test('a Solana address is compared exactly', async (t) => {
  const address = randomSolanaAddress()
  const given = { custodyType: 'EXTERNAL', chainType: 'SOLANA', address }
  const { body } = await create(given)
  t.is((await create(given)).body.id, body.id)
  t.is(body.address, address)
})

test('a wallet can be renamed and change between all statuses', async (t) => {
  const { id } = (await create()).body
  t.is((await patch(id, { name: 'Renamed' })).body.name, 'Renamed')
  for (const status of ['FROZEN', 'ARCHIVED', 'FROZEN', 'ACTIVE', 'ARCHIVED', 'ACTIVE'] as const) {
    t.is((await patch(id, { status })).body.status, status)
    t.is((await read(id)).body.status, status)
  }
  t.like((await patch(id, { name: 'Both', status: 'FROZEN' })).body, { name: 'Both', status: 'FROZEN' })
  for (const body of [{ status: 'GONE' }, { name: null }, { name: '' }, { custodyType: 'EXTERNAL' }, { balance: 1 }]) {
    t.deepEqual(failureOf(await patch(id, body)), { status: 400, code: 'VALIDATION_ERROR' })
  }
})

test('funding adds exactly, whatever the custody type and status', async (t) => {
  const { id } = (await create({ custodyType: 'EXTERNAL', address: randomAddress() })).body
  t.is((await fund(id, 0.1)).body.balance, 0.1)
  t.is((await fund(id, '0.2')).body.balance, 0.3)
  await patch(id, { status: 'FROZEN' })
  t.is((await fund(id, '999999999.999999')).body.balance, 1_000_000_000.299999)
  t.is((await read(id)).body.balance, 1_000_000_000.299999)
})

const AMOUNTS: unknown[] = [
  0,
  -1,
  '0',
  '-1',
  0.1234567,
  '1.0000001',
  '1e3',
  1e-7,
  1_000_000_000,
  '1000000000',
  '01',
  '1.',
  '.5',
  ' 1',
  '',
  true,
  null,
  [],
  {},
  '0x10',
  'NaN',
]

test('an invalid amount is INVALID_AMOUNT, a missing one VALIDATION_ERROR', async (t) => {
  const { id } = (await create()).body
  for (const amount of AMOUNTS)
    t.deepEqual(failureOf(await fund(id, amount)), { status: 400, code: 'INVALID_AMOUNT' }, JSON.stringify(amount))
  for (const text of ['{"amount":1e400}', '{"amount":-0}']) {
    t.deepEqual(failureOf(await service.client.post(`/api/wallets/${id}/fund`, ORGANIZATION_KEY, text)), {
      status: 400,
      code: 'INVALID_AMOUNT',
    })
  }
  t.deepEqual(failureOf(await fund(id, undefined)), { status: 400, code: 'VALIDATION_ERROR' })
  t.is((await read(id)).body.balance, 0)
})

test('funding beyond an exact balance is refused', async (t) => {
  const { id } = (await create()).body
  const answers = await Promise.all(Array.from({ length: 12 }, () => fund(id, '999999999.999999')))
  const refused = answers.filter(({ status }) => status !== 200)
  t.is(refused.length, 3)
  for (const answer of refused) {
    t.deepEqual(failureOf(answer), { status: 400, code: 'INVALID_AMOUNT' })
    const { error } = answer.body as unknown as Failure
    t.regex(error, /^The balance would be more than a wallet can hold, which is 9007199254:/)
  }
  t.is((await read(id)).body.balance, Number('8999999999.999991'))
  t.deepEqual(service.logged, [])
})

test('a payment that would make a sum inexact is denied', async (t) => {
  const agent = await fundedAgent(service.client, {
    name: newName(),
    balance: 999_999_999,
    terms: { delegationType: 'FULL', spendLimitPerTx: null },
  })
  for (let paid = 0; paid < 10; paid += 1) {
    await fund(agent.walletId, 999_999_999)
    const { body, status } = await ask(service.client, agent.key, 999_999_999, { autoExecute: true })
    t.is(status, 200)
    t.is(body.status, paid < 9 ? 'EXECUTED' : 'DENIED')
  }
  t.deepEqual(service.logged, [])
})

for (const status of ['FROZEN', 'ARCHIVED']) {
  test(`a wallet that is ${status} pays nothing until it is ACTIVE again`, async (t) => {
    const agent = await fundedAgent(service.client, { name: newName() })
    const { requestId } = (await ask(service.client, agent.key, 5)).body
    await patch(agent.walletId, { status })
    const denied = await ask(service.client, agent.key, 1)
    t.deepEqual([denied.body.status, typesOf(denied)], ['DENIED', ['WALLET_NOT_ACTIVE']])
    t.deepEqual(failureOf(await execute(service.client, agent.key, requestId)), { status: 400, code: 'INVALID_STATUS' })
    await patch(agent.walletId, { status: 'ACTIVE' })
    t.is((await execute(service.client, agent.key, requestId)).status, 200)
  })
}

test('a wallet with reservations cannot be deleted; a deletion revokes its delegations', async (t) => {
  const agent = await fundedAgent(service.client, { name: newName() })
  const { requestId } = (await ask(service.client, agent.key, 5)).body
  t.deepEqual(failureOf(await remove(agent.walletId)), { status: 400, code: 'INVALID_STATUS' })
  t.is((await ask(service.client, agent.key, 1)).body.status, 'APPROVED')
  const paid = await ask(service.client, agent.key, 2, { autoExecute: true })
  for (const { id } of (await service.client.get<PaymentList>('/api/sdk/payments?status=APPROVED', agent.key)).body
    .payments) {
    await service.client.post(`/api/sdk/payments/${id}/cancel`, agent.key)
  }
  t.deepEqual((await remove(agent.walletId)).body, { success: true })
  for (const answer of [
    await read(agent.walletId),
    await remove(agent.walletId),
    await patch(agent.walletId, {}),
    await fund(agent.walletId, 1),
  ]) {
    t.deepEqual(failureOf(answer), { status: 404, code: 'NOT_FOUND' })
  }
  t.deepEqual(failureOf(await ask(service.client, agent.key, 1)), { status: 400, code: 'NO_WALLET' })
  t.is(
    (await service.client.get<{ status: string }>(`/api/payments/${paid.body.requestId}`, ORGANIZATION_KEY)).body
      .status,
    'EXECUTED',
  )
  t.is(
    (await service.client.get<{ status: string }>(`/api/payments/${requestId}`, ORGANIZATION_KEY)).body.status,
    'CANCELLED',
  )
  const wallets = (
    await service.client.get<{ wallets: { status: string; wallet: { status: string } }[] }>(
      `/api/agents/${agent.agentId}/wallets`,
      ORGANIZATION_KEY,
    )
  ).body.wallets
  t.deepEqual(
    wallets.map(({ status, wallet }) => [status, wallet.status]),
    [['REVOKED', 'ARCHIVED']],
  )
})

test('the address of a deleted wallet can be registered again, as a new wallet', async (t) => {
  const given = { custodyType: 'EXTERNAL', address: randomAddress() }
  const { id } = (await create(given)).body
  await fund(id, 10)
  await remove(id)
  const again = await create(given)
  t.is(again.status, 201)
  t.not(again.body.id, id)
  t.is(again.body.balance, 0)
})

const CUSTODY: [custodyType: string, status: number, code: string][] = [
  ['PROVIDER_A', 503, 'CUSTODY_NOT_CONFIGURED'],
  ['PROVIDER_B', 503, 'CUSTODY_NOT_CONFIGURED'],
  ['EXTERNAL', 400, 'MANUAL_EXECUTION_REQUIRED'],
  ['SMART_CONTRACT', 400, 'MANUAL_EXECUTION_REQUIRED'],
]

for (const [custodyType, status, code] of CUSTODY) {
  test(`a payment from a wallet with custody ${custodyType} is approved but not executed by the service`, async (t) => {
    const agent = await fundedAgent(service.client, {
      name: newName(),
      wallet: { custodyType, address: randomAddress() },
    })
    const asked = (await ask(service.client, agent.key, 5, { autoExecute: true })).body
    t.is(asked.status, 'APPROVED')
    t.is(asked.autoExecuteError?.code, code)
    t.deepEqual(failureOf(await execute(service.client, agent.key, asked.requestId)), { status, code })
    t.is((await read(agent.walletId)).body.balance, 10_000)
  })
}
