// PostgreSQL behind the front, used in two ways: by one call of a function, and by one transaction of many statements
// in which this process decides.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rivalModule, RIVALS, type Postgres, type PostgresClient } from './clients.js'
import { listenFor, type Asked, type Decided } from './front.js'
import { SCENE } from './scene.js'

/** More connections only wait for the locks of the same rows and add context switches: 4, 16 and 32 were no faster. */
const CONNECTIONS = 8
const [port] = process.argv.slice(2)
const { Pool } = rivalModule<Postgres>('pg')
const pool = new Pool({ host: '127.0.0.1', port: Number(port), user: 'bench', database: 'postgres', max: CONNECTIONS })

async function setUp(): Promise<void> {
  const { organization, agent, delegation, wallet, policy, maxAmount, categories, blocked, plenty } = SCENE
  const put = (text: string, values: unknown[]): Promise<unknown> => pool.query({ text, values })
  await pool.query(readFileSync(join(RIVALS, 'postgres.sql'), 'utf8'))
  const [from, until] = [new Date(SCENE.validFrom), new Date(SCENE.validUntil)]
  await put(`INSERT INTO organization VALUES ($1, 0, '')`, [organization])
  await put('INSERT INTO policy VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
    policy,
    organization,
    maxAmount,
    categories,
    blocked,
    from,
    until,
    plenty,
  ])
  await put(`INSERT INTO agent VALUES ($1, $2, 'ACTIVE', '2020-01-01', 0)`, [agent, organization])
  await put(`INSERT INTO wallet VALUES ($1, 'ACTIVE', $2, 0)`, [wallet, plenty])
  await put(
    `INSERT INTO delegation VALUES ($1, $2, $3, $4, $5, $5, $5, '2020-01-01', 0, '2020-01-01', 0, '2020-01-01', 0)`,
    [delegation, agent, wallet, maxAmount, plenty],
  )
}

async function byFunction(asked: Asked): Promise<Decided> {
  const { id, organization, agent, key, bodyHash, amount, recipient, category, terms } = asked
  const { rows } = await pool.query<{ authorize: Decided }>({
    name: 'authorize',
    text: 'SELECT authorize($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [id, organization, agent, key, bodyHash, amount, recipient, category, terms],
  })
  return rows[0]!.authorize
}

async function byTransaction(asked: Asked): Promise<Decided> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const decided = await decide(client, asked)
    await client.query('COMMIT')
    client.release()
    return decided
  } catch (error) {
    client.release(true)
    throw error
  }
}

interface Sums {
  /** Whether the row's window is the current one. */
  [window: `is_${string}`]: boolean
  [sum: `${string}_sum`]: string
}

type Standing = Sums & { [column: string]: string }

async function decide(client: PostgresClient, asked: Asked): Promise<Decided> {
  const { id, organization, agent, key, bodyHash, amount, recipient, category, terms } = asked
  const one = async <Row>(name: string, text: string, values: unknown[]): Promise<Row | undefined> =>
    (await client.query<Row>({ name, text, values })).rows[0]
  const known = await one<{ body_hash: string; answer: Decided }>('known', KNOWN, [agent, key])
  if (known !== undefined) {
    if (known.body_hash !== bodyHash) throw new Error('the key was used for another body')
    return known.answer
  }
  const payer = (await one<Standing>('payer', PAYER, [agent]))!
  const rules = (await one<Rules>('rules', RULES, [organization]))!
  const leave = (await one<Standing>('leave', LEAVE, [agent]))!
  const purse = (await one<Standing>('purse', PURSE, [leave['wallet']]))!
  await one('meet', MEET, [organization, recipient])
  const counterparty = (await one<{ status: string }>('counterparty', COUNTERPARTY, [organization, recipient]))!
  const after = (standing: Sums, window: 'day' | 'week' | 'month'): number =>
    (standing[`is_${window}`] ? Number(standing[`${window}_sum`]) : 0) + amount
  const now = new Date()
  const against: [boolean, string][] = [
    [payer['status'] !== 'ACTIVE', 'the agent is not active'],
    [amount > Number(rules.max_amount), 'MAX_AMOUNT'],
    [!rules.categories.includes(category), 'ALLOWED_CATEGORIES'],
    [rules.blocked.includes(recipient), 'BLOCKED_COUNTERPARTIES'],
    [now < rules.valid_from || now >= rules.valid_until, 'DATE_RANGE'],
    [after(payer, 'day') > Number(rules.day_limit), 'DAILY_LIMIT'],
    [amount > Number(leave['payment_limit']), 'the delegation, a payment'],
    [after(leave, 'day') > Number(leave['day_limit']), 'the delegation, a day'],
    [after(leave, 'week') > Number(leave['week_limit']), 'the delegation, a week'],
    [after(leave, 'month') > Number(leave['month_limit']), 'the delegation, a month'],
    [purse['status'] !== 'ACTIVE' || Number(purse['free']) < amount, 'the wallet'],
    [counterparty.status === 'BLOCKED', 'the recipient is blocked'],
  ]
  const reasons = against.filter(([broken]) => broken).map(([, reason]) => reason)
  const status = reasons.length === 0 ? 'APPROVED' : 'DENIED'
  if (status === 'APPROVED') {
    await one('pay', SPEND_AGENT, [agent, after(payer, 'day')])
    const sums = [after(leave, 'day'), after(leave, 'week'), after(leave, 'month')]
    await one('spend', SPEND_DELEGATION, [leave['id'], ...sums])
    await one('hold', HOLD, [purse['id'], amount])
  }
  const expiresAt = new Date(now.getTime() + 86_400_000).toISOString()
  const wallet = purse['id']!
  await one('payment', PAYMENT, [
    id,
    organization,
    agent,
    leave['id'],
    wallet,
    amount,
    recipient,
    terms,
    status,
    reasons,
    now,
    expiresAt,
  ])
  const data = { status, terms, reasons }
  const entry = JSON.stringify({ action: 'payment.request', resource: 'payment', resourceId: id, agent, at: now, data })
  const chain = (await one<{ audit_sequence: string; audit_hash: Buffer }>('chain', CHAIN, [organization]))!
  const sequence = Number(chain.audit_sequence) + 1
  const link = createHash('sha256').update(chain.audit_hash).update(`${sequence}${entry}`).digest()
  await one('audit', AUDIT, [organization, sequence, chain.audit_hash, link, entry])
  await one('link', LINK, [organization, sequence, link])
  await one('outbox', OUTBOX, [organization, entry, now])
  const answer: Decided = { id, status, reasons, expiresAt, wallet }
  await one('remember', REMEMBER, [agent, key, bodyHash, JSON.stringify(answer)])
  return answer
}

interface Rules {
  max_amount: string
  categories: string[]
  blocked: string[]
  valid_from: Date
  valid_until: Date
  day_limit: string
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`
const WEEK = `date_trunc('week', ${TODAY})::date`
const MONTH = `date_trunc('month', ${TODAY})::date`
const KNOWN = 'SELECT body_hash, answer FROM idempotency WHERE agent = $1 AND key = $2'
const PAYER = `SELECT *, day = ${TODAY} AS is_day FROM agent WHERE id = $1 FOR UPDATE`
const RULES = 'SELECT * FROM policy WHERE organization = $1'
const LEAVE = `SELECT *, day = ${TODAY} AS is_day, week = ${WEEK} AS is_week, month = ${MONTH} AS is_month
  FROM delegation WHERE agent = $1 FOR UPDATE`
const PURSE = 'SELECT id, status, balance - held AS free FROM wallet WHERE id = $1 FOR UPDATE'
const MEET = `INSERT INTO counterparty VALUES ($1, $2, 'UNKNOWN') ON CONFLICT DO NOTHING`
const COUNTERPARTY = 'SELECT status FROM counterparty WHERE organization = $1 AND address = $2'
const SPEND_AGENT = `UPDATE agent SET day = ${TODAY}, day_sum = $2 WHERE id = $1`
const SPEND_DELEGATION = `UPDATE delegation
  SET day = ${TODAY}, day_sum = $2, week = ${WEEK}, week_sum = $3, month = ${MONTH}, month_sum = $4 WHERE id = $1`
const HOLD = 'UPDATE wallet SET held = held + $2 WHERE id = $1'
const PAYMENT = 'INSERT INTO payment VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)'
const CHAIN = 'SELECT audit_sequence, audit_hash FROM organization WHERE id = $1 FOR UPDATE'
const AUDIT = 'INSERT INTO audit VALUES ($1, $2, $3, $4, $5)'
const LINK = 'UPDATE organization SET audit_sequence = $2, audit_hash = $3 WHERE id = $1'
const OUTBOX = `INSERT INTO outbox (organization, event, data, due_at) VALUES ($1, 'payment.decided', $2, $3)`
const REMEMBER = 'INSERT INTO idempotency VALUES ($1, $2, $3, $4)'

await setUp()
await listenFor({ function: byFunction, transaction: byTransaction })
