// The table of chains against the specification's list.
import test from 'ava'
import { parseAddress } from '../../src/domain/values/address.js'
import { CHAINS, DEFAULT_CHAIN } from '../../src/domain/values/chains.js'

const CONTRACTS: Record<string, string | undefined> = {
  '8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  '1': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '42161': '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  '137': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  '31337': undefined,
  'solana-mainnet': undefined,
  'solana-devnet': undefined,
}

test('The supported chains are those of the specification, with their contracts', (t) => {
  t.deepEqual(Object.keys(CHAINS).toSorted(), Object.keys(CONTRACTS).toSorted())
  for (const [id, contract] of Object.entries(CONTRACTS)) {
    t.is(CHAINS[id]?.contract, contract, id)
    t.is(CHAINS[id]?.chainType, id.startsWith('solana') ? 'SOLANA' : 'EVM', id)
    t.like(CHAINS[id], { asset: 'USDC', decimals: 6 }, id)
  }
})

test('Every contract is a well-formed address with a right checksum', (t) => {
  const contracts = Object.values(CHAINS).flatMap(({ contract }) => (contract === undefined ? [] : [contract]))
  t.is(contracts.length, 5)
  for (const contract of contracts) t.is(parseAddress(contract)?.display, contract)
})

test('The default chain of each type is a chain of that type', (t) => {
  t.deepEqual(DEFAULT_CHAIN, { EVM: '84532', SOLANA: 'solana-devnet' })
  t.is(CHAINS[DEFAULT_CHAIN.EVM]?.chainType, 'EVM')
  t.is(CHAINS[DEFAULT_CHAIN.SOLANA]?.chainType, 'SOLANA')
})

test('An unknown chain id finds no chain', (t) => {
  for (const id of ['', '2', '08453', ' 8453', '8453.0', 'solana', 'constructor', 'toString', '__proto__']) {
    t.is(CHAINS[id], undefined, id)
  }
})
