// The rivals do the work they are compared for: they replay the answer to a repeated key, and a denial lists every
// reason.
import test, { type ExecutionContext } from 'ava'
import { startServer } from '../../../bench/childServer.js'
import { rivalModule } from '../../../bench/rivals/clients.js'
import { BENCH_KEY } from '../../../bench/rivals/scene.js'
import { startPostgres, startRedis, type RivalServer } from '../../../bench/rivals/servers.js'
import { NotRun } from '../../../bench/target.js'
import { REQUEST_PATH, WISH } from '../../../bench/wish.js'
import { notRun } from '../../support/notRun.js'

const BLOCKED = '0x0000000000000000000000000000000000000001'
const REASONS = ['MAX_AMOUNT', 'ALLOWED_CATEGORIES', 'BLOCKED_COUNTERPARTIES', 'the delegation, a payment']

interface Rival {
  client: string
  file: string
  start: () => Promise<RivalServer>
}

const POSTGRES: Rival = { client: 'pg', file: 'postgresFront.js', start: startPostgres }
const REDIS: Rival = { client: 'ioredis', file: 'redisFront.js', start: startRedis }
const WAYS: [way: string, rival: Rival][] = [
  ['function', POSTGRES],
  ['transaction', POSTGRES],
  ['script', REDIS],
]

for (const [way, rival] of WAYS) {
  test.serial(`the rival by ${way} decides once per idempotency key and lists every reason for a denial`, async (t) => {
    const server = await startedOr(t, rival)
    if (server === undefined) return
    t.teardown(() => server.end())
    const front = await startServer(
      new URL(`../../../bench/rivals/${rival.file}`, import.meta.url),
      String(server.port),
    )
    t.teardown(() => front.end())
    const ask = (body: object, key: string) => asked(front.ports[way]!, body, key)
    const first = await ask(WISH, 'one')
    t.is(first.status, 'APPROVED')
    t.deepEqual(await ask(WISH, 'one'), first)
    t.not((await ask(WISH, 'two')).requestId, first.requestId)
    t.is((await ask({ ...WISH, amount: 0.02 }, 'one')).code, 'INTERNAL_ERROR')
    const denied = await ask({ ...WISH, amount: 5_000, category: 'GAMES', recipientAddress: BLOCKED }, 'three')
    t.is(denied.status, 'DENIED')
    t.is(denied.reasons?.join(', '), REASONS.join(', '))
  })
}

async function startedOr(t: ExecutionContext, { client, start }: Rival): Promise<RivalServer | undefined> {
  try {
    rivalModule(client)
    return await start()
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    notRun(t, `a rival (${error.message})`)
    return undefined
  }
}

interface Answer {
  requestId?: string
  status?: string
  reasons?: string[]
  code?: string
}

async function asked(port: number, body: object, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json', 'idempotency-key': key }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${port}${REQUEST_PATH}`, sent)
  return (await answer.json()) as Answer
}
