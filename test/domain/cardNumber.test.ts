// Numbers of payment cards in free text: which are found, and that nothing else is taken for one.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import test from 'ava'
import { hasCardNumber } from '../../src/domain/values/cardNumber.js'
import { newId, orderedId } from '../../src/domain/values/ids.js'

/** Numbers that issuers and processors publish for tests. */
const PUBLISHED = [
  '4222222222222',
  '30569309025904',
  '38520000023237',
  '371449635398431',
  '378282246310005',
  '4111111111111111',
  '4012888888881881',
  '5105105105105100',
  '5555555555554444',
  '2223003122003222',
  '2720990000000007',
  '6011111111111117',
  '6011000990139424',
  '3530111333300000',
  '6304000000000000',
  '6759649826438453',
  '6200000000000005',
  '2200000000000004',
  '6205500000000000004',
]

test('numbers of all issuers and lengths are found', (t) => {
  t.deepEqual(
    PUBLISHED.filter((number) => !hasCardNumber(number)),
    [],
  )
})

const CARD = '4111111111111111'

const FOUND = [
  `paid with ${CARD}`,
  `card:${CARD}.`,
  `card-${CARD}`,
  `Visa/${CARD}/Smith`,
  `(${CARD})`,
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111\u00a01111\u20111111 1111',
  '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
  '4111 1111-11111111',
  `${CARD} 12/27`,
  `${CARD} 123`,
  `4111 1111 1111 1111 1227`,
  `3000 ${CARD}`,
  `20 4111 1111 1111 1111`,
  `3782 822463 10005`,
  `a${CARD} ${CARD}`,
]

const NOT_FOUND = [
  '',
  'Paper and ink',
  '411111111111',
  '4111111111111112',
  '4111  1111  1111  1111',
  '4111.1111.1111.1111',
  '4111, 1111, 1111, 1111',
  `a${CARD}`,
  `${CARD}a`,
  `ß${CARD}`,
  `${CARD}\u{1d7d9}`,
  `${CARD}1`,
  `a4111 1111 1111 1111`,
  '0000000000000000',
  '1234567890123452',
  `9${CARD}`,
  `41111111-1111-1111-1111-111111111111`,
  '2025-01-15 2025-02-15',
  '2014-01-01 2014-12-31',
]

test('a number is found where no letter or digit stands next to it, in groups, and beside other digits', (t) => {
  t.deepEqual(
    FOUND.filter((text) => !hasCardNumber(text)),
    [],
  )
  t.deepEqual(NOT_FOUND.filter(hasCardNumber), [])
})

const RANDOM: { [what: string]: () => string } = {
  'transaction hash': () => `0x${randomBytes(32).toString('hex')}`,
  'SHA-256': () => randomBytes(32).toString('hex'),
  'EVM address': () => `0x${randomBytes(20).toString('hex')}`,
  'Solana address': () => base58.encode(randomBytes(32)),
  'EVM signature': () => `0x${randomBytes(65).toString('hex')}`,
  'Solana signature': () => base58.encode(randomBytes(64)),
  id: () => newId(randomBytes),
  'ordered id': () => orderedId(randomInt(2 ** 47), randomBytes),
  'transaction id': () => `tx_${newId(randomBytes)}`,
  UUID: () => randomUUID(),
  'time in milliseconds': () => String(randomInt(4e9) * 1000 + randomInt(1000)),
  'ISO time': () => new Date(randomInt(4e9) * 1000).toISOString(),
}

test('100,000 random hashes, addresses, signatures, ids and times are no numbers of cards', (t) => {
  const makers = Object.entries(RANDOM)
  const found: string[] = []
  for (let count = 0; count < 100_000; count += 1) {
    const [what, make] = makers[count % makers.length]!
    const text = make()
    if (hasCardNumber(text) || hasCardNumber(`Order ${text} of today`)) found.push(`${what} ${text}`)
  }
  t.deepEqual(found, [])
})

test('the work is linear in the length of the text', (t) => {
  for (const part of ['4', '4 ', '4-', '4111 ', `${CARD.slice(1)} `, 'a4', '  ']) {
    t.notThrows(() => hasCardNumber(part.repeat(100_000)), part)
  }
})
