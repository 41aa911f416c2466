// Addresses: a canonical form to compare, a display form, and checksums for mixed case.
import test from 'ava'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { isAssetContract, isZeroAddress, parseAddress, toChecksum } from '../../src/domain/values/address.js'
import { CHAINS } from '../../src/domain/values/chains.js'
import '../support/depth.js'

// The examples of EIP-55.
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const WRONG = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const evmHex = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const solanaBytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('EVM addresses are read in checksummed, lower and upper case and shown in EIP-55 form', (t) => {
  for (const display of EIP_55) {
    const canonical = display.toLowerCase()
    const expected = { chainType: 'EVM', canonical, display } as const
    t.deepEqual(parseAddress(display), expected)
    t.deepEqual(parseAddress(canonical), expected)
    t.deepEqual(parseAddress(`0x${display.slice(2).toUpperCase()}`), expected)
    t.is(toChecksum(canonical), display)
  }
})

test('A mixed-case EVM address with a wrong checksum is refused unless checksums are ignored', (t) => {
  t.is(parseAddress(WRONG), undefined)
  t.is(parseAddress(WRONG, { checksum: 'required-if-mixed' }), undefined)
  t.is(parseAddress(WRONG, { checksum: 'ignored' })?.display, MIXED)
})

test("The checksum equals viem's for any address", (t) => {
  const property = fc.property(evmHex, (hex) => toChecksum(hex) === getAddress(hex))
  t.notThrows(() => fc.assert(property))
})

test('Every letter case is refused except all upper, all lower and the checksummed one', (t) => {
  const property = fc.property(evmHex, fc.infiniteStream(fc.boolean()), (hex, upper) => {
    const digits = Array.from(hex.slice(2), (digit) => (upper.next().value === true ? digit.toUpperCase() : digit))
    const recased = `0x${digits.join('')}`
    const right = [hex, `0x${hex.slice(2).toUpperCase()}`, toChecksum(hex)].includes(recased)
    const read = parseAddress(recased)
    return right ? read?.canonical === hex : read === undefined
  })
  t.notThrows(() => fc.assert(property))
})

test('Solana addresses are base58 of exactly 32 bytes, accepted as they are', (t) => {
  t.deepEqual(parseAddress(USDC_MINT), { chainType: 'SOLANA', canonical: USDC_MINT, display: USDC_MINT })
  const property = fc.property(solanaBytes, (bytes) => {
    const text = base58.encode(bytes)
    const read = parseAddress(text)
    return read?.chainType === 'SOLANA' && read.canonical === text && read.display === text
  })
  t.notThrows(() => fc.assert(property))
})

test('Solana addresses of every text length that 32 bytes can have are accepted', (t) => {
  const lengths = Array.from({ length: 33 }, (_, zeros) => new Uint8Array(32).fill(255, zeros)).map((bytes) => {
    const text = base58.encode(bytes)
    t.is(parseAddress(text)?.canonical, text)
    return text.length
  })
  t.deepEqual([...new Set(lengths)].toSorted(), [32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44])
})

test('Base58 of any other number of bytes is refused', (t) => {
  const other = fc.uint8Array({ maxLength: 64 }).filter((bytes) => bytes.length !== 32)
  const property = fc.property(other, (bytes) => parseAddress(base58.encode(bytes)) === undefined)
  t.notThrows(() => fc.assert(property))
  t.is(parseAddress(base58.encode(new Uint8Array(31).fill(255))), undefined)
  t.is(parseAddress(base58.encode(new Uint8Array(33).fill(1))), undefined)
})

const REFUSED: [string, unknown][] = [
  ['the empty text', ''],
  ['a bare 0x', '0x'],
  ['the prefix 0X', `0X${'a'.repeat(40)}`],
  ['the prefix 0X before upper case', `0X${'A'.repeat(40)}`],
  ['the prefix 0X before digits', `0X${'1'.repeat(40)}`],
  ['39 digits', `0x${'a'.repeat(39)}`],
  ['41 digits', `0x${'a'.repeat(41)}`],
  ['a digit beyond f', `0x${'a'.repeat(39)}g`],
  ['no prefix', 'a'.repeat(40)],
  ['a leading space', ` ${MIXED}`],
  ['a trailing newline', `${MIXED}\n`],
  ['a trailing newline on Solana', `${USDC_MINT}\n`],
  ['a character outside base58', `${USDC_MINT.slice(0, -1)}0`],
  ['a Solana address cut by two', USDC_MINT.slice(0, -2)],
  ['44 times the largest digit', 'z'.repeat(44)],
  ['a megabyte', '1'.repeat(1_000_000)],
  ['null', null],
  ['a number', 1],
  ['a list', [MIXED]],
]

test('Text that is not an address is refused', (t) => {
  for (const [name, text] of REFUSED) t.is(parseAddress(text), undefined, name)
})

test('The zero address is recognised on both kinds of chain', (t) => {
  t.true(isZeroAddress(`0x${'0'.repeat(40)}`))
  t.true(isZeroAddress(base58.encode(new Uint8Array(32))))
  t.false(isZeroAddress(`0x${'0'.repeat(39)}1`))
  t.false(isZeroAddress(USDC_MINT))
})

test('The contract of the asset is recognised on every chain', (t) => {
  for (const { contract, mint } of Object.values(CHAINS)) {
    if (contract !== undefined) t.true(isAssetContract(contract.toLowerCase()), contract)
    if (mint !== undefined) t.true(isAssetContract(mint), mint)
  }
  t.false(isAssetContract(MIXED.toLowerCase()))
  t.true(isAssetContract(USDC_MINT))
  t.false(isAssetContract(USDC_MINT.toLowerCase()))
})

test('Configured asset contracts are recognised besides the default ones', (t) => {
  const overrides = { '31337': MIXED, 'solana-mainnet': USDC_MINT }
  t.true(isAssetContract(MIXED.toLowerCase(), overrides))
  t.true(isAssetContract(USDC_MINT, overrides))
  t.false(isAssetContract(USDC_MINT.toLowerCase(), overrides))
  t.true(isAssetContract('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', { '8453': MIXED }))
})
