// Eleven digits of base 36, which sort like the numbers.
import test from 'ava'
import { base36, fromBase36 } from '../../src/domain/values/base36.js'

const NUMBERS = [0, 1, 35, 36, 1295, 1296, 36 ** 3 - 1, 36 ** 6 - 1, 36 ** 6, 2 ** 31, 1_795_714_665_595_000]

test('numbers have the digits that JavaScript gives them, and are read back', (t) => {
  const numbers = [...NUMBERS, Number.MAX_SAFE_INTEGER]
  for (let value = 1; value < Number.MAX_SAFE_INTEGER / 7; value = value * 7 + 3) numbers.push(value)
  for (const value of numbers) {
    t.is(base36(value), value.toString(36).padStart(11, '0'))
    t.is(fromBase36(base36(value)), value)
  }
})
