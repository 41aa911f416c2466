// The coin for network fees must cover all of a wallet's transfers that are under way, and what a chain charges besides
// the gas; if it does not, the caller is told before anything is signed.
import test from 'ava'
import { ChainNode } from '../../../src/chain/node.js'
import { prepare, raisedFees } from '../../../src/chain/transfer.js'
import type { SignedTransfer } from '../../../src/domain/payment/settlement.js'
import { execute, status } from '../../support/payments.js'
import { approved, MICROS, newPayer, newRecipient, nonceOf, startChain, startLive } from '../../support/chain.js'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hex = (wei: bigint): string => `0x${wei.toString(16)}`

test('Concurrent transfers are sent while the coin covers all of them; the others fail for lack of gas', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const { client } = await startLive(t, chain)
  const payer = await newPayer(client, chain)
  const recipient = newRecipient()
  const ids: string[] = []
  for (let one = 0; one < 4; one += 1) ids.push(await approved(client, payer.key, 1, recipient))
  const config = {
    chainId: '31337',
    url: chain.url,
    asset: chain.token,
    decimals: 6,
    confirmations: 1,
    mostFeeGwei: 100,
    freshMs: 0,
  }
  const order = { chainId: '31337', from: payer.address, to: recipient, amount: MICROS, asset: chain.token }
  const { gas, maxFeePerGas } = await prepare(new ChainNode(config), order, 0)
  await chain.rpc('anvil_setBalance', [payer.address, hex((gas * maxFeePerGas * 17n) / 10n)])
  const answers = await Promise.all(ids.map((id) => execute(client, payer.key, id)))
  const sent = answers.filter((answer) => answer.status === 200).length
  t.true(sent >= 1 && sent < 4, `${sent} were sent`)
  for (const [index, { status: answered, body }] of answers.entries()) {
    if (answered === 200) continue
    t.like(answers[index], { status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
    t.regex((body as unknown as { error: string }).error, /gas/)
    t.is((await status(client, payer.key, ids[index]!)).body.status, 'APPROVED')
  }
  await chain.mine(1)
  t.deepEqual([await nonceOf(chain, payer.address), await chain.balanceOf(recipient)], [sent, sent * MICROS])
})

/** Bytecode of a contract that returns these 32 bytes, whatever is called. */
function answering(word: bigint): string {
  return `0x7f${word.toString(16).padStart(64, '0')}60005260206000f3`
}

test("A transfer's cost includes an OP-stack chain's L1 fee, and fees have a ceiling", async (t) => {
  const chain = await startChain(t, ['--chain-id', '84532'])
  if (!chain) return
  await chain.fund(SENDER, MICROS)
  const config = {
    chainId: '84532',
    url: chain.url,
    asset: chain.token,
    decimals: 6,
    confirmations: 1,
    mostFeeGwei: 20,
    freshMs: 0,
  }
  const order = { chainId: '84532', from: SENDER, to: newRecipient(), amount: MICROS, asset: chain.token }
  const node = new ChainNode(config)
  const oracle = '0x420000000000000000000000000000000000000F'
  const hundredCoins = 100n * 10n ** 18n
  await chain.rpc('anvil_setCode', [oracle, answering(1n)])
  await t.notThrowsAsync(prepare(node, order, 0))
  const dear = { code: 'UNAVAILABLE', message: /above the 20 gwei/ } as never
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [hex(50_000_000_000n)])
  await chain.mine(1)
  await t.throwsAsync(prepare(node, order, 0), dear)
  await chain.mine(20)
  await chain.rpc('anvil_setCode', [oracle, answering(hundredCoins)])
  await t.throwsAsync(prepare(node, order, 0), { code: 'INSUFFICIENT_BALANCE', message: /gas/ } as never)
  t.true((await node.usualCost()) > hundredCoins)
})

/** Against a transfer that pays at most 800, with a tip of 80. */
const MARKETS: [what: string, market: [fee: bigint, tip: bigint], raised: [fee: bigint, tip: bigint] | undefined][] = [
  ['asks for no more', [800n, 80n], undefined],
  ['asks for less', [700n, 70n], undefined],
  ['has a higher fee', [2_000n, 80n], [2_000n, 91n]],
  ['has a slightly higher fee', [801n, 80n], [901n, 91n]],
  ['has a higher tip alone', [790n, 200n], [901n, 200n]],
  ['has a slightly higher tip alone', [800n, 81n], [901n, 91n]],
  ['asks for the most', [3_000n, 80n], [3_000n, 91n]],
  ['asks for more than the most', [3_001n, 80n], undefined],
]

for (const [what, [maxFeePerGas, maxPriorityFeePerGas], raised] of MARKETS) {
  test(`Where the market ${what}, both fees of a transfer are ${raised ? 'raised' : 'left'}`, (t) => {
    const last = { maxFeePerGas: '800', maxPriorityFeePerGas: '80' } as SignedTransfer
    const fees = raisedFees(last, { maxFeePerGas, maxPriorityFeePerGas }, 3_000n)
    t.deepEqual(fees && [fees.maxFeePerGas, fees.maxPriorityFeePerGas], raised)
  })
}

test('A tip is not raised where the fee would then be more than the most', (t) => {
  const last = { maxFeePerGas: '2900', maxPriorityFeePerGas: '80' } as SignedTransfer
  t.is(raisedFees(last, { maxFeePerGas: 2_900n, maxPriorityFeePerGas: 200n }, 3_000n), undefined)
})
