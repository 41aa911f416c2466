// The bound of an answer: it is kept whatever others wrote, and never at the cost of what names a purchase.
import test from 'ava'
import { clientAnswer } from '../../src/mcp/answer.js'

const MAX_BYTES = 2048
const KEY = 'k'.repeat(255)
const URL = `https://pay.example/approvals/${'a'.repeat(60)}`
const STEPS = ['Tell the person that the payment is pending', 'Then call payment_status']

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

for (const [name, letter] of Object.entries({ emoji: '💸', ideographs: '支', quotes: '"', ascii: 'x' })) {
  test(`an answer with long texts of ${name} is short, and its ids and steps are whole`, (t) => {
    const text = letter.repeat(120)
    const { structuredContent: shown, ...rest } = clientAnswer({
      fields: {
        status: 'REQUIRES_APPROVAL',
        requestId: 'p1',
        paymentKey: KEY,
        approvalUrl: URL,
        reasons: [text, text],
      },
      untrusted: { recipientName: text, purpose: text, reference: text },
      nextSteps: STEPS,
    })
    t.true(bytesOf({ structuredContent: shown, ...rest }) <= MAX_BYTES)
    t.like(shown, { paymentKey: KEY, approvalUrl: URL, nextSteps: STEPS })
    t.is(Object.keys(shown).at(-1), 'nextSteps')
  })
}

test('what cannot be shorter is answered as it is', (t) => {
  const { structuredContent: shown } = clientAnswer({ fields: { paymentKey: 'k'.repeat(3000) }, nextSteps: STEPS })
  t.is((shown['paymentKey'] as string).length, 3000)
})
