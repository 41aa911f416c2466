// The settings of channels stop a start where they are wrong.
import test from 'ava'
import { readConfig } from '../../src/config/config.js'

const SMTP = 'smtp://user:secret@mail.acme.com:587'

test('mails need a server and a sender', (t) => {
  t.is(readConfig({}).mail, null)
  const both = { BURSAR_SMTP_URL: SMTP, BURSAR_SMTP_FROM: 'Bursar <bursar@acme.com>' }
  t.deepEqual(readConfig(both).mail, { url: SMTP, from: 'Bursar <bursar@acme.com>' })
  t.throws(() => readConfig({ BURSAR_SMTP_URL: SMTP }), { message: /needs BURSAR_SMTP_FROM/ })
  t.throws(() => readConfig({ BURSAR_SMTP_FROM: 'a@acme.com' }), { message: /needs BURSAR_SMTP_URL/ })
  const wrong = t.throws(() => readConfig({ ...both, BURSAR_SMTP_URL: 'http://user:secret@mail' }))
  t.notRegex(wrong!.message, /secret/)
  for (const from of ['nobody', 'A <a@b.com>\r\nBcc: c@d.com', 'a@b.com, c@d.com'])
    t.throws(() => readConfig({ ...both, BURSAR_SMTP_FROM: from }), { message: /BURSAR_SMTP_FROM/ }, from)
})

test("Slack's address is another one in development alone", (t) => {
  t.is(readConfig({}).slackApi, 'https://slack.com/api')
  const url = { BURSAR_SLACK_API_URL: 'http://127.0.0.1:9/api/' }
  t.throws(() => readConfig(url), { message: /BURSAR_DEV_LOOPBACK_WEBHOOKS=1/ })
  t.is(readConfig({ ...url, BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' }).slackApi, 'http://127.0.0.1:9/api')
})
