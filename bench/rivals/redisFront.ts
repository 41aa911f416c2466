// Redis behind the front: one call of a script for each request.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rivalModule, RIVALS, type Redis } from './clients.js'
import { listenFor, type Asked, type Decided } from './front.js'
import { SCENE } from './scene.js'

const DAY_MS = 86_400_000
const [port] = process.argv.slice(2)
const client = new (rivalModule<Redis>('ioredis').Redis)({ host: '127.0.0.1', port: Number(port) })

const { organization, agent, delegation, wallet, maxAmount, categories, blocked, validFrom, validUntil, plenty } = SCENE
await client.hset(`agent:${agent}`, { status: 'ACTIVE', delegation, day: '', daySum: 0 })
await client.hset(`policy:${organization}`, { maxAmount, validFrom, validUntil, dayLimit: plenty })
await client.sadd(`categories:${organization}`, ...categories)
await client.sadd(`blocked:${organization}`, ...blocked)
const limits = { paymentLimit: maxAmount, dayLimit: plenty, weekLimit: plenty, monthLimit: plenty }
const windows = { day: '', daySum: 0, week: '', weekSum: 0, month: '', monthSum: 0 }
await client.hset(`delegation:${delegation}`, { wallet, ...limits, ...windows })
await client.hset(`wallet:${wallet}`, { status: 'ACTIVE', balance: plenty, held: 0 })
const script = await client.script('LOAD', readFileSync(join(RIVALS, 'redis.lua'), 'utf8'))

async function authorize(asked: Asked): Promise<Decided> {
  const { id, key, bodyHash, amount, recipient, category, terms } = asked
  const now = Date.now()
  const day = new Date(now).toISOString().slice(0, 10)
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
  const week = new Date(now - sinceMonday * DAY_MS).toISOString().slice(0, 10)
  const answer = await client.evalsha(
    script,
    0,
    asked.organization,
    asked.agent,
    key,
    id,
    now,
    bodyHash,
    amount,
    recipient,
    category,
    terms,
    day,
    week,
    day.slice(0, 7),
  )
  const decided = JSON.parse(answer) as Decided
  return { ...decided, expiresAt: new Date(Number(decided.expiresAt)).toISOString() }
}

await listenFor({ script: authorize })
