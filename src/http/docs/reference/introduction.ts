// The conventions common to all operations, shown at the top of the reference.
import { html, prose, type Html } from './html.js'

/** Each topic with its sentences. */
const CONVENTIONS: [what: string, ...how: string[]][] = [
  [
    'Credentials',
    'Send `Authorization: Bearer KEY`.',
    'Organization keys begin with `service_`, agent keys with `service_agent_`.',
    "A person who has signed in sends the session's cookie, and with a change the `Origin` of the service.",
    'Every cause of a 401 looks the same.',
  ],
  [
    'Errors',
    'Anything from 400 on is `{error, code}`; `details` (`[{path, message}]`) name the fields that are wrong, with',
    'LIMIT_REACHED the limit, with POLICY_TESTS_FAILED the tests.',
    'Where `Accept` names `application/problem+json`, it has the members of RFC 9457, too.',
    'Programs go by `code`, people by `error`. Every answer has `X-Request-Id`.',
  ],
  [
    'Amounts',
    'A JSON number or a decimal string with at most 6 decimals, below 1,000,000,000; never rounded.',
    'Answers have numbers. In free JSON, a number with more digits than a double keeps is kept as text.',
  ],
  [
    'Repeating a POST',
    'With an `Idempotency-Key` the same key and body give the first answer again, with `Idempotency-Replayed: true`',
    'and without secrets. Another body is IDEMPOTENCY_CONFLICT.',
    'A key is kept for seven days, that of a payment as long as the payment, that of a dry run not at all.',
  ],
  [
    'Lists',
    'Newest first, 50 a page, at most 100.',
    'Go on with `cursor`, which is `nextCursor` of the page before; a deep page costs as little as the first.',
  ],
  [
    'Rate limits',
    '`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) on what a key asks;',
    '`RateLimit` and `RateLimit-Policy` say the same as the IETF draft does. 429 adds `Retry-After`.',
  ],
  [
    'Fields',
    'Unknown fields and query parameters are refused. In a PATCH `null` clears a field that may be empty.',
    'Times are ISO 8601 in UTC.',
  ],
  [
    'Changes that wait',
    'If an organization requires approval for a change, the answer is 202 with',
    '`governanceApprovalRequestId`, and nothing has changed yet.',
  ],
]

const EXAMPLES = [
  'Each runs as it stands, in a shell or as an ES module; a test does just that.',
  'Keys and ids come from the environment:',
  '`BURSAR_URL`, `BURSAR_API_KEY` (an organization key), `BURSAR_AGENT_KEY`, and whatever is named like a variable,',
  'such as `agentId`.',
].join(' ')

const SETTING_UP = `export BURSAR_URL=http://127.0.0.1:3000
read -rs BURSAR_API_KEY && export BURSAR_API_KEY`

export function introduction(): Html {
  return html`<section id="introduction">
<p>Every operation of this service, written from <a href="/openapi.json">/openapi.json</a>, which is made of the schemas
that check requests.</p>
<h3>The examples</h3>
<p>${prose(EXAMPLES)}</p>
<pre><code>${SETTING_UP}</code></pre>
<h3>Everywhere</h3>
<dl>
${CONVENTIONS.map(
  ([what, ...how]) => html`<dt>${what}</dt><dd>${prose(how.join(' '))}</dd>
`,
)}</dl>
</section>
`
}
