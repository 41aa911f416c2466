// Statistics survive the process: what memory alone had counted when it was killed is counted again by the next start,
// while payments go on, and equals a scan of all payments.
import test, { type ExecutionContext } from 'ava'
import type { Stats } from '../../../sdk/api.js'
import { newClient, type Client } from '../../support/client.js'
import { ask, execute, fundedAgent, type FundedAgent } from '../../support/payments.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { expectedStats, scanPayments, shownStats, type By } from '../../support/statsScan.js'

const KILLS = 3
const AT_ONCE = 40
const BYS: (By | undefined)[] = [undefined, 'agent', 'wallet', 'category', 'counterparty', 'status']

/** Payments of which some are executed; their answers may be lost. */
async function payments(client: Client, agent: FundedAgent): Promise<void> {
  await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const more = { recipientAddress: `0x${'00'.repeat(19)}c${n % 9}`, category: n % 2 === 0 ? 'DATA' : 'COMPUTE' }
      const { body } = await ask(client, agent.key, n % 5 === 0 ? 20_000 : 1 + n / 1000, more)
      if (n % 3 !== 0 && body.status === 'APPROVED') await execute(client, agent.key, body.requestId)
    }),
  )
}

async function equalsScan(t: ExecutionContext, client: Client): Promise<void> {
  const scanned = await scanPayments(client)
  for (const by of BYS) {
    const query = by === undefined ? '' : `?by=${by}`
    const { body } = await client.get<Stats>(`/api/stats${query}`, ORGANIZATION_KEY)
    const span = { from: Date.parse(body.from), to: Date.parse(body.to), by }
    t.deepEqual(
      shownStats(body, span),
      expectedStats(scanned, span, () => 'UTC'),
      by,
    )
  }
}

test(`after each of ${KILLS} kill -9 the sums are those of a scan, and after an orderly stop`, async (t) => {
  t.timeout(180_000)
  const folder = newFolder(t)
  let agent: FundedAgent | undefined
  for (let round = 0; round < KILLS; round += 1) {
    const service = await startService(t, folder)
    const client = newClient(t, service.url)
    agent ??= await fundedAgent(client)
    // Changes come while the quarters are counted again.
    await payments(client, agent)
    await equalsScan(t, client)
    const unanswered = payments(client, agent)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await service.kill()
    await unanswered
  }
  const last = await startService(t, folder)
  await equalsScan(t, newClient(t, last.url))
  t.deepEqual(await last.stop(), { code: 0, signal: null })
  const again = await startService(t, folder)
  await equalsScan(t, newClient(t, again.url))
})
