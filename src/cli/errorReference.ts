// Generates docs/errors.md from the tables of codes and causes.
import { HINTS } from '../commands/denial.js'
import { CODES, type Code } from '../domain/codes.js'

const HEAD = `# Errors

Written by \`npm run error-reference\` from \`src/domain/codes.ts\` and \`src/commands/denial.ts\`: edit those.

Every answer above 299 is JSON:

\`\`\`json
{ "error": "The recipient is blocked", "code": "INVALID_STATUS", "reasons": ["The recipient is blocked"] }
\`\`\`

\`code\` is for programs: it is one of these and does not change. \`error\` is for people and may. VALIDATION_ERROR and
INVALID_INPUT add \`details\` (\`[{path, message}]\`), a refused execution adds \`reasons\`. The header \`X-Request-Id\` names
the request. A denied payment is no error: it is answered 200 with \`status\` DENIED, reasons and violations.

Which codes an operation can answer is shown with each at \`/docs\`, and as \`x-error-codes\` in \`/openapi.json\`.

Send again unchanged, later, only what is marked so. After TIMEOUT ask for the status first: the payment may have been
made. The same idempotency key makes a repetition safe.

## Codes

| Code | Status | When | What to do | Again |
|---|---|---|---|---|
`

const VIOLATIONS = `
## Violations

Why a payment is denied: each of its \`violations\` has a \`type\`, a message, and where there are such the policy, its version
and rule, the \`limit\` and the \`current\` sum against it.

| Type | What helps |
|---|---|
`

export function errorReference(): string {
  const codes = (Object.keys(CODES) as Code[]).toSorted()
  const causes = Object.entries(HINTS).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hints = causes.map(([type, hint]) => `| \`${type}\` | ${hint} |\n`)
  return HEAD + codes.map(line).join('') + VIOLATIONS + hints.join('')
}

function line(code: Code): string {
  const { status, meaning, message, retryable } = CODES[code]
  const shown = status === 0 ? 'none' : status
  return `| \`${code}\` | ${shown} | ${meaning} | ${message} | ${retryable ? 'yes' : ''} |\n`
}
