// A refusal has its code in its type, and a result is told from a refusal by `ok`.
import test from 'ava'
import { refuse, refuseFields, succeed, type Refused, type Result } from '../../src/domain/outcomes/result.js'

test('a refusal has its code in its type', (t) => {
  const expired: Refused<'EXPIRED'> = refuse('EXPIRED')
  const invalid: Refused<'VALIDATION_ERROR'> = refuseFields([{ path: 'name', message: 'is required' }])
  const isAnother: typeof expired extends Refused<'NOT_FOUND'> ? true : false = false
  t.false(isAnother)
  t.is(expired.refusal.code, 'EXPIRED')
  t.is(invalid.refusal.message, 'name is required')
})

test('a result has the value, or a code that its type names', (t) => {
  const half = (value: number): Result<number, 'VALIDATION_ERROR'> =>
    value % 2 === 0 ? succeed(value / 2) : refuse('VALIDATION_ERROR', 'must be even')
  const [even, odd] = [half(4), half(3)]
  t.deepEqual(even, { ok: true, value: 2 })
  t.deepEqual(odd, { ok: false, refusal: { code: 'VALIDATION_ERROR', message: 'must be even' } })
})
