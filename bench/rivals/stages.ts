// The rivals as stages: a server and the front before it, with both in the CPU time of a request.
import { startServer, type ChildServer } from '../childServer.js'
import type { Load } from '../loadProcess.js'
import { CpuMeter } from '../processes.js'
import { APPROVED } from '../service/start.js'
import { httpTarget, NotRun, postOf, type RowPlan, type Running, type Stage } from '../target.js'
import { REQUEST_PATH, WISH } from '../wish.js'
import { rivalModule } from './clients.js'
import { BENCH_KEY } from './scene.js'
import { startPostgres, startRedis, type RivalServer } from './servers.js'

export function postgresStage(connections: readonly number[], transactionConnections = connections): Stage {
  const byFunction = { name: 'postgresFunction', connections }
  const byTransaction = { name: 'postgresTransaction', connections: transactionConnections }
  return {
    rows: [byFunction, byTransaction],
    start: async (load) => {
      rivalModule('pg')
      const rows = { function: byFunction, transaction: byTransaction }
      return behindFront(load, await startPostgres(), new URL('postgresFront.js', import.meta.url), rows)
    },
  }
}

export function redisStage(connections: readonly number[]): Stage {
  const row = { name: 'redis', connections }
  return {
    rows: [row],
    start: async (load) => {
      rivalModule('ioredis')
      return behindFront(load, await startRedis(), new URL('redisFront.js', import.meta.url), { script: row })
    },
  }
}

/** Their fronts are code of the service. */
const WARM_UPS = 2

type Rows = { [way: string]: RowPlan }

async function behindFront(load: Load, server: RivalServer, file: URL, rows: Rows): Promise<Running> {
  const front = await startServer(file, String(server.port)).catch(async (error: Error): Promise<never> => {
    await server.end()
    throw new NotRun(error.message)
  })
  const meter = new CpuMeter(front.pid, server.pid)
  const requests = [postOf(REQUEST_PATH, WISH, BENCH_KEY)]
  const exchange = { requests, expected: APPROVED, cpuMicros: () => meter.micros(), warmUps: WARM_UPS }
  const targets = Object.entries(rows).map(([way, { name }]) =>
    httpTarget(load, { name, port: front.ports[way]!, ...exchange }),
  )
  return { targets, end: () => both(front, server) }
}

async function both(front: ChildServer, server: RivalServer): Promise<void> {
  await front.end()
  await server.end()
}
