// Kills the service at random moments under load, again and again on one folder, sometimes with a loss of power: what
// was answered is on disk, what was not is there completely or not at all, and a retry takes effect once.
import test, { type ExecutionContext } from 'ava'
import { Random } from '../../support/random.js'
import { again, runs, seedOr } from '../../support/depth.js'
import { newClient, type Client } from '../../support/client.js'
import { inspect } from '../../support/integrity.js'
import { lost, misexecuted, wrongCounterparties, wrongSums } from '../../support/ledger.js'
import { Load, type Deed } from '../../support/load.js'
import { losePower } from './powerLoss.js'
import { clockAt, newFolder, runToEnd, startService } from '../../support/process.js'
import { ask, fundedAgent, status, type FundedAgent } from '../../support/payments.js'

const ROUNDS = runs(20)
const CALLERS = 24
const BALANCE = 2000
const SEED = seedOr(20_240_229)
/** One clock for the whole run; no window ends while it lasts. */
const ENV = clockAt(Date.parse('2031-07-09T12:00:00Z'))

test.serial(`no answered request is lost over ${ROUNDS} kills (seed ${SEED})`, async (t) => {
  t.timeout(6_000 * ROUNDS)
  t.log(again(SEED))
  const random = new Random(SEED)
  const folder = newFolder(t)
  const agents = await setUp(t, folder)
  const load = new Load(agents, random)
  for (let round = 0; round < ROUNDS; round += 1) {
    if (random.chance(0.3)) await killedStart(t, folder, random)
    const service = await startService(t, folder, { env: ENV })
    const client = newClient(t, service.url)
    await stillSeen(t, client, load)
    const begun = load.deeds.length
    for (const deed of load.unanswered()) t.true(await load.send(client, deed))
    const running = load.run(client, CALLERS)
    await after(random.below(500) + 200)
    await service.kill()
    await running
    const lost = random.chance(0.5) ? losePower(folder, random) : 0
    const sent = load.deeds.length - begun
    t.log(`round ${round}: ${sent} sent, ${load.unanswered().length} unanswered, ${lost} pages and sectors lost`)
  }
  await settle(t, folder, load)
  const contents = await inspect(folder)
  t.deepEqual(contents.problems, [])
  t.deepEqual(lost(contents, load.deeds), [])
  t.deepEqual(wrongSums(contents, agents, load.deeds, BALANCE), [])
  t.deepEqual(wrongCounterparties(contents), [])
  t.deepEqual(misexecuted(contents), [])
})

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function setUp(t: ExecutionContext, folder: string): Promise<FundedAgent[]> {
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  const agents: FundedAgent[] = []
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    // The last agent reaches its limit during the run, so that there are denials by limit, too.
    const terms = name === 'Four' ? { spendLimitDaily: 500 } : {}
    agents.push(await fundedAgent(client, { name, balance: BALANCE, terms }))
  }
  await service.kill()
  return agents
}

/** A start that is killed before it is complete. */
async function killedStart(t: ExecutionContext, folder: string, random: Random): Promise<void> {
  const { signal } = await runToEnd(t, folder, { env: ENV }, random.below(500))
  t.is(signal, 'SIGKILL')
}

/** Whatever a read showed before the kill still holds after it; an approved payment may have moved on. */
async function stillSeen(t: ExecutionContext, client: Client, load: Load): Promise<void> {
  const shown = [...load.seen].map(async ([requestId, { status: before, key }]) => {
    const now = (await status(client, key, requestId)).body.status
    const isKept = now === before || (before === 'APPROVED' && now !== undefined)
    return isKept ? [] : [`${requestId}: ${before}, then ${now}`]
  })
  t.deepEqual((await Promise.all(shown)).flat(), [])
  load.seen.clear()
}

/** Sends the last unanswered requests again, and reads some of the payments from the service itself. */
async function settle(t: ExecutionContext, folder: string, load: Load): Promise<void> {
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  for (const deed of load.unanswered()) t.true(await load.send(client, deed))
  const requests = load.deeds.filter(({ kind }) => kind === 'request')
  for (const deed of requests.filter((_, index) => index % 50 === 0)) await compare(t, client, deed)
  t.log(`${load.deeds.length} deeds, ready in ${Math.round(service.startedInMs)} ms at the end`)
  t.deepEqual(await service.stop(), { code: 0, signal: null })
}

/** A repeated request gets the answer that it got before. */
async function compare(t: ExecutionContext, client: Client, deed: Deed): Promise<void> {
  const { key, body, idempotencyKey, answer } = deed
  t.deepEqual((await ask(client, key, body!['amount'], { ...body, idempotencyKey })).body, answer!.body)
  const shown = await status(client, key, answer!.body.requestId)
  t.is(shown.body.amount, body!['amount'] as number)
}
