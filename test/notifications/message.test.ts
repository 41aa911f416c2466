// What the messages say.
import test from 'ava'
import { mailTextOf } from '../../src/notifications/mailText.js'
import { messageOf } from '../../src/notifications/message.js'
import { slackMessageOf } from '../../src/notifications/slackText.js'
import { alertNotice, approvalNotice } from './notices.js'

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test('a request says who wants to pay whom how much for what, which rule asks, and the sum of the day', (t) => {
  const { subject, text } = mailTextOf(messageOf('approval.requested', approvalNotice()))
  t.is(subject, `Bursar: Approval requested: 1,250.50 USDC to ${ADDRESS}`)
  t.is(
    text,
    [
      `Approval requested: 1,250.50 USDC to ${ADDRESS}`,
      '',
      'Organization: “Acme”',
      'Agent: “buyer”',
      'Amount: 1,250.50 USDC',
      `Recipient: ${ADDRESS}`,
      'Recipient name: “Paper mill”',
      'Purpose: “Printer paper”',
      'Category: “office”',
      'Reference: “INV-1”',
      'Item: 50 × 25.01 USDC “Ream”',
      'Reason: “1250.5 is above 1000: a person has to approve”',
      'Today: 2,000.00 of 5,000.00 USDC spent or reserved',
      'Approvals required: 2',
      'Expires: 2026-03-01 10:30 UTC',
      '',
      'Sign in to decide: https://bursar.acme.com/approvals/a1',
      '',
    ].join('\n'),
  )
})

const decisions = [{ by: 'Alice', decision: 'DENIED' as const, comment: 'too much', at: '2026-03-01T09:00:00.000Z' }]

test('each event has its heading, and only an open request asks for a decision', (t) => {
  const headingOf = (...given: Parameters<typeof messageOf>) => messageOf(...given).subject.split(':')[0]
  const isOpen = (...given: Parameters<typeof messageOf>) => messageOf(...given).decides !== null
  const cases: [Parameters<typeof messageOf>, string, boolean][] = [
    [['approval.requested', approvalNotice()], 'Approval requested', true],
    [['approval.escalated', approvalNotice()], 'Approval escalated', true],
    [['approval.decided', approvalNotice({ status: 'APPROVED' })], 'Approved', false],
    [['approval.decided', approvalNotice({ status: 'DENIED', decisions })], 'Denied', false],
    [['approval.expired', approvalNotice({ status: 'EXPIRED' })], 'Approval request expired', false],
    [['alert.raised', alertNotice()], 'WARNING', false],
  ]
  for (const [given, heading, open] of cases) {
    t.is(headingOf(...given), heading)
    t.is(isOpen(...given), open)
  }
})

test('a decision says who decided, when and why', (t) => {
  const { facts } = messageOf('approval.decided', approvalNotice({ status: 'DENIED', decisions }))
  t.deepEqual(facts.at(-1), { label: 'Denied by', text: '“Alice”, 2026-03-01 09:00 UTC: “too much”' })
})

test('many line items are counted, not listed', (t) => {
  const lineItems = Array.from({ length: 50 }, (_, at) => ({ description: `No ${at}`, quantity: 1, unitAmount: 1 }))
  const { facts } = messageOf('approval.requested', approvalNotice({ lineItems }))
  t.is(facts.filter(({ label }) => label === 'Item').length, 10)
  t.is(facts.find(({ label }) => label === 'Items')?.text, 'and 40 more')
})

test('a message in Slack has two buttons where it can take presses, and one link where it cannot', (t) => {
  const message = messageOf('approval.requested', approvalNotice())
  const elementsOf = (withButtons: boolean) =>
    (slackMessageOf(message, withButtons).blocks.at(-1) as { elements: object[] }).elements
  t.like(elementsOf(true), [
    { action_id: 'approve', value: 'a1.c0ffee.0' },
    { action_id: 'deny', value: 'a1.c0ffee.0' },
  ])
  t.like(elementsOf(false), [{ url: 'https://bursar.acme.com/approvals/a1' }])
})

test('amounts are exact', (t) => {
  const textOf = (amount: number) => messageOf('approval.requested', approvalNotice({ amount })).subject.split(' ')[2]
  t.is(textOf(0.000001), '0.000001')
  t.is(textOf(999_999_999.999999), '999,999,999.999999')
  t.is(textOf(1_000_000), '1,000,000.00')
  t.is(textOf(0.1), '0.10')
})
