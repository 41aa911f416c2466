import test from 'ava'
import { difference } from '../../src/domain/audit.js'
import { redactedUrl } from '../../src/domain/redact.js'

const CASES: [string, string][] = [
  ['https://a.b/x', 'https://a.b/x'],
  ['https://a.b/x?token=abc&n=1#key', 'https://a.b/x?token=REDACTED&n=REDACTED#REDACTED'],
  ['https://a.b/x?SECRET', 'https://a.b/x?REDACTED'],
]
for (const [url, shown] of CASES) test(`${url} shows as ${shown}`, (t) => t.is(redactedUrl(url), shown))

test('the audit log conceals what an answer conceals', (t) => {
  const at = (callbackUrl: string) => ({ state: 'registered.active', context: { fields: { callbackUrl } } })
  const changed = JSON.stringify(difference(at('https://a.b/?k=old'), at('https://a.b/?k=new')))
  t.false(changed.includes('old') || changed.includes('new'), changed)
})
