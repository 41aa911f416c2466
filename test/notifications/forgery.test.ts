// Nothing that an agent, a recipient or a member writes can pass for the service's own words, change a link, call
// people, or break out of its line: a table of texts, each at every place where text of others is shown, in every format.
import test from 'ava'
import { mailTextOf } from '../../src/notifications/mailText.js'
import { messageOf } from '../../src/notifications/message.js'
import type { Notice } from '../../src/notifications/notice.js'
import { slackMessageOf } from '../../src/notifications/slackText.js'
import { visible } from '../../src/notifications/visibleText.js'
import { alertNotice, approvalNotice } from './notices.js'

/** What is written, by what it attempts. */
const TEXTS: [string, string][] = [
  ['right-to-left override', 'pay \u202e0001 CDSU'],
  ['left-to-right override', '\u202dabc\u202c'],
  ['right-to-left embedding', '\u202babc\u202c'],
  ['left-to-right embedding', '\u202aabc\u202c'],
  ['bidirectional isolates', '\u2066a\u2069\u2067b\u2069\u2068c\u2069'],
  ['an isolate that is not closed', '\u2067abc'],
  ['an isolate that closes another one', '\u2069\u2069\u2069abc'],
  ['left-to-right mark', 'a\u200eb'],
  ['right-to-left mark', 'a\u200fb'],
  ['Arabic letter mark', 'a\u061cb'],
  ['zero-width space', 'Ac\u200bme'],
  ['zero-width joiner and non-joiner', 'A\u200dc\u200cme'],
  ['word joiner', 'Ac\u2060me'],
  ['byte order mark', '\ufeffAcme'],
  ['soft hyphen', 'Ac\u00adme'],
  ['invisible tags', `Acme${[...'evil'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`],
  ['variation selectors', 'A\ufe0fc\u{e0100}me'],
  ['Hangul fillers', '\u3164Acme\u115f\uffa0'],
  ['braille blank', 'Acme\u2800\u2800Approved'],
  ['combining grapheme joiner', 'A\u034fcme'],
  ['a heap of combining marks', `A${'\u0301'.repeat(500)}cme`],
  ['line feed', 'paper\nApproved by: “Alice”'],
  ['carriage return', 'paper\rApproved by: “Alice”'],
  ['CRLF and a header', 'paper\r\nBcc: mallory@evil.com'],
  ['a second header block', 'paper\r\n\r\n<html>'],
  ['line separator', 'paper\u2028Reason: none'],
  ['paragraph separator', 'paper\u2029Reason: none'],
  ['vertical tab and form feed', 'paper\u000bReason\u000cnone'],
  ['next line', 'paper\u0085Reason: none'],
  ['null and escape', 'a\u0000b\u001b[31mred'],
  ['many spaces', `paper${' '.repeat(400)}Approved`],
  ['wide spaces', 'paper\u3000\u2003\u00a0Approved'],
  ['quotation that ends the quotation', 'paper” — approved by “Alice'],
  ['other quotation marks', '„paper‟ «Alice»'],
  ['encoded word', '=?utf-8?B?QXBwcm92ZWQ=?='],
  ['HTML tag', '<b>Approved</b>'],
  ['HTML script', '<script>alert(1)</script>'],
  ['HTML image', '<img src=x onerror=alert(1)>'],
  ['HTML comment', '<!-- hide --><!--'],
  ['HTML link', '<a href="https://evil.com">Sign in to decide</a>'],
  ['HTML attribute', '" onmouseover="alert(1)'],
  ['HTML attribute in single quotes', "' style='display:none"],
  ['HTML entities', '&lt;b&gt;&#60;script&#62;'],
  ['end of the table', '</td></tr></table><h1>Approved</h1>'],
  ['end of the direction', '</bdi><bdo dir=rtl>'],
  ['mrkdwn bold', '*Approved by Alice*'],
  ['mrkdwn italics', '_Approved by Alice_'],
  ['mrkdwn strike', '~denied~'],
  ['mrkdwn code', '`code` ```block```'],
  ['mrkdwn quote', '> quoted &gt; quoted'],
  ['mrkdwn link', '<https://evil.com|Sign in to decide>'],
  ['mrkdwn mail link', '<mailto:a@evil.com|mail>'],
  ['mrkdwn channel call', '<!channel> <!here> <!everyone>'],
  ['mrkdwn call of a group', '<!subteam^S123|@admins>'],
  ['mrkdwn call of a person', '<@U12345>'],
  ['mrkdwn channel', '<#C12345|general>'],
  ['mrkdwn date', '<!date^1392734382^{date}|today>'],
  ['plain calls', '@channel @here @everyone @alice'],
  ['a channel in plain text', '#general'],
  ['emoji that stands for a mark', ':white_check_mark: approved'],
  ['https link', 'see https://evil.com/approve'],
  ['http link', 'HTTP://EVIL.COM'],
  ['scheme of a program', 'slack://open ftp://evil.com javascript:alert(1) mailto:a@b.com'],
  ['www link', 'www.evil.com'],
  ['bare domain', 'evil.com/approve and sub.evil.io'],
  ['bare domain of any ending', 'bursar-login.shop/approve ünïcode.भारत 💰.la Acme.Approve'],
  ['bare domain with another dot', 'evil。com evil．com evil｡com'],
  ['mail address', 'a@evil.biz "a"@evil.biz a＠evil.biz a+b@evil'],
  ['lone surrogates', 'a\ud800b\udc00c'],
  ['noncharacters and private use', 'a\uffffb\ue000c'],
  ['JSON', '"},{"type":"actions","elements":[]}'],
  ['format of a template', '{{decisionUrl}} ${decisionUrl} %s $& $1'],
  ['very long', 'x'.repeat(1_000_000)],
  ['very long without a space, wide', '宽'.repeat(100_000)],
  ['nothing but invisible characters', '\u200b\u200d\u2060'],
  ['nothing', ''],
]

const LINK = 'https://bursar.acme.com/approvals/a1'

/** Every notice with the text at each place. */
function noticesWith(text: string): [string, Notice, string][] {
  const items = [{ description: text, quantity: 1, unitAmount: 1 }]
  const decisions = [{ by: text, decision: 'APPROVED' as const, comment: text, at: '2026-03-01T10:30:00.000Z' }]
  const everywhere = { organizationName: text, agentName: text, recipientName: text, purpose: text, category: text }
  return [
    ['approval.requested', approvalNotice({ ...everywhere, reference: text, lineItems: items, reasons: [text] }), LINK],
    ['approval.decided', approvalNotice({ ...everywhere, status: 'APPROVED', decisions }), LINK],
    ['alert.raised', alertNotice({ organizationName: text, title: text, message: text }), alertNotice().alertUrl],
  ]
}

/** Characters that nobody sees, or that move others. */
const UNSEEN = /\u034f|[\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]/u
const LINKED =
  /[a-z]:\/\/|www\.|[\p{L}\p{N}\p{S}][.。．｡]\p{L}[\p{L}\p{M}]|[\p{L}\p{N}"][@＠][\p{L}\p{N}]|javascript:|mailto:/iu

for (const [title, text] of TEXTS) {
  test(`a text with ${title} is no more than a text`, (t) => {
    for (const [event, notice, link] of noticesWith(text)) {
      const message = messageOf(event as 'alert.raised', notice)
      const facts = message.facts.map(({ text: fact }) => fact)
      for (const shown of [message.subject, ...facts]) {
        t.notRegex(shown, UNSEEN)
        t.notRegex(shown, /[\p{Cc}\u2028\u2029]/u)
        t.notRegex(shown, LINKED)
        t.true(shown.isWellFormed())
        t.true([...shown].length <= 620, `${[...shown].length} characters`)
        t.true(/^[^“”]*(“[^“”]*”[^“”]*)*$/u.test(shown), 'what is quoted cannot end its quotation')
      }
      assertMail(t, message, link)
      assertSlack(t, message, link)
    }
  })
}

function assertMail(
  t: { is: Is; true: (v: boolean, message?: string) => unknown },
  message: ReturnType<typeof messageOf>,
  link: string,
): void {
  const { subject, text, html } = mailTextOf(message)
  t.is(subject.split(/[\r\n]/).length, 1)
  // One line for each fact, a heading, the link.
  t.is(text.split('\n').length, message.facts.length + 5)
  t.is([...html.matchAll(/<a [^>]*>/g)].map(String).join(), `<a href="${link}">`)
  const tags = [...html.matchAll(/<\/?([a-z!\d]+)/gi)].map(([, tag]) => tag!.toLowerCase())
  const known = new Set([
    '!doctype',
    'html',
    'head',
    'meta',
    'title',
    'body',
    'h1',
    'table',
    'tr',
    'th',
    'td',
    'bdi',
    'p',
    'a',
  ])
  t.true(tags.every((tag) => known.has(tag)))
  t.is(tags.filter((tag) => tag === 'tr').length, 2 * message.facts.length)
}

type Is = (actual: unknown, expected: unknown) => unknown

interface Block {
  type: string
  text?: { type: string; text: string }
  elements?: { type: string; action_id: string; url?: string; value?: string }[]
}

function assertSlack(
  t: { is: Is; true: (v: boolean, message?: string) => unknown },
  message: ReturnType<typeof messageOf>,
  link: string,
): void {
  const { text, blocks } = slackMessageOf(message, true)
  const shown = (blocks as Block[]).flatMap((block) => block.text?.text ?? [])
  for (const part of [text, ...shown]) {
    t.true(part.length <= 3_000)
    // The labels alone are bold.
    const own = part.replace(/^\*[A-Z][a-z ]+\*: /gm, '')
    t.true(!/[*~`<>|]/.test(own), own)
    t.true(!/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(own))
    t.true(!/@[\p{L}]|#[\p{L}]|:[\w+'-]+:/u.test(own))
    t.true(!/&(?!amp;)/.test(own))
  }
  const buttons = (blocks as Block[]).flatMap(({ elements = [] }) => elements)
  const expected = message.decides === null ? [`open ${link}`] : ['approve a1.c0ffee.0', 'deny a1.c0ffee.0']
  t.is(buttons.map(({ action_id, url, value }) => `${action_id} ${url ?? value}`).join(), expected.join())
}

test('text stays readable where it attempts nothing', (t) => {
  for (const text of [
    'Printer paper (A4), 80 g/m²',
    '50 % off — v1.2',
    'naïve Grüße 日本語 עברית',
    'INV_2024_17',
    'a.b',
  ])
    t.is(visible(text, 100), text)
})

test('long text ends in an ellipsis and says as much as it may', (t) => {
  t.is(visible('abcdef', 4), 'abc…')
  t.is(visible('🙂🙂🙂', 3), '🙂🙂🙂')
  t.is(visible('🙂🙂🙂🙂', 3), '🙂🙂…')
})
