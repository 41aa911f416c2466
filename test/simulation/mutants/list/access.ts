// Mistakes in who is let in, what each may do, and what belongs to whom.
import { mutant, type Mutant } from '../mutant.js'

const PRINCIPALS = 'src/commands/people/principals.js'
const AUTH = 'src/http/server/auth.js'

export const ACCESS: readonly Mutant[] = [
  mutant(
    'a record of another organization is shown',
    'src/commands/send.js',
    ['actor.context.organization === organization && ', ''],
    'service',
    'border',
    'works',
  ),
  mutant('a revoked key goes on', PRINCIPALS, ["if (actor.state === 'revoked')", 'if (false)'], 'service', 'access'),
  mutant(
    'a key outlives its time',
    PRINCIPALS,
    ["actor.state === 'expired' || (expiresAt !== null && expiresAt <= now)", 'false'],
    'service',
    'access',
  ),
  mutant(
    'a removed member goes on',
    PRINCIPALS,
    ["return member?.state === 'active' ? personOf(member) : undefined", 'return member && personOf(member)'],
    'service',
    'access',
  ),
  mutant(
    'a key may more than its person',
    PRINCIPALS,
    ['.filter((scope) => person.scopes.includes(scope))', ''],
    'service',
    'access',
  ),
  mutant(
    'scopes are not asked for',
    AUTH,
    ['access.scope === undefined || caller.scopes.includes(access.scope)', 'true'],
    'service',
    'access',
  ),
  mutant(
    'whoever wants is an owner',
    AUTH,
    ["access.key !== 'organization' || access.ownersOnly !== true || caller.isOwner === true", 'true'],
    'service',
    'access',
  ),
  mutant(
    'a session that was ended goes on',
    'src/commands/people/sessions.js',
    ["session.state === 'active' && now < expiresAt", 'now < expiresAt'],
    'service',
    'access',
  ),
  mutant(
    'a session that nobody uses goes on',
    'src/commands/people/sessions.js',
    ['now < usedAt + IDLE_MS', 'true'],
    'service',
    'access',
  ),
  mutant(
    "a session outlives its member's removal",
    'src/commands/people/sessions.js',
    ["member?.state !== 'active' || ", ''],
    'service',
    'access',
    'works',
  ),
  mutant(
    'a viewer may what a manager may',
    'src/domain/access/roles.js',
    ['VIEWER: PRESETS.READ_ONLY', 'VIEWER: PRESETS.STANDARD'],
    'service',
    'access',
  ),
]
