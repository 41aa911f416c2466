import test from 'ava'
import { difference } from '../../src/domain/audit/entry.js'
import { isConcealed, redacted, redactedUrl, SECRETS } from '../../src/domain/audit/redact.js'

const CASES: [string, string][] = [
  ['https://a.b/x', 'https://a.b/x'],
  ['https://a.b/x?token=abc&n=1#key', 'https://a.b/x?token=REDACTED&n=REDACTED#REDACTED'],
  ['https://a.b/x?SECRET', 'https://a.b/x?REDACTED'],
]
for (const [url, shown] of CASES) test(`${url} is shown as ${shown}`, (t) => t.is(redactedUrl(url), shown))

test('the audit log redacts URLs as answers do', (t) => {
  const at = (callbackUrl: string) => ({ state: 'registered.active', context: { fields: { callbackUrl } } })
  const changed = JSON.stringify(difference(at('https://a.b/?k=old'), at('https://a.b/?k=new')))
  t.false(changed.includes('old') || changed.includes('new'), changed)
})

test('the audit log omits every secret, but records that the field around it changed', (t) => {
  const before = { state: 'active', context: Object.fromEntries(SECRETS.map((field) => [field, 'old'])) }
  const after = { state: 'active', context: Object.fromEntries(SECRETS.map((field) => [field, 'new'])) }
  t.deepEqual(difference(before, after), {})
  for (const field of SECRETS) t.true(isConcealed(field), field)
  for (const field of ['password', 'setUp']) {
    const at = (hash: string) => ({ state: 'active', context: { [field]: { hash, at: 1 } } })
    t.deepEqual(difference(at('old'), at('new')), { [field]: { from: { at: 1 }, to: { at: 1 } } })
    t.true(isConcealed(field), field)
  }
})

test('only the fields that hold callback URLs are redacted', (t) => {
  for (const field of ['url', 'callbackUrl', 'webhookUrl']) {
    t.is(redacted(field, 'https://a.b/x?k=1'), 'https://a.b/x?k=REDACTED')
    t.is(redacted(field, null), null)
  }
  t.is(redacted('website', 'https://a.b/x?k=1'), 'https://a.b/x?k=1')
})
