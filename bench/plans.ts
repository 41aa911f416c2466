// What is measured, how often and for how long.
import type { DataSet } from './stored/dataSet.js'
import { commitsStage } from './limits/commits.js'
import { echoStage } from './limits/echoes.js'
import type { Plan } from './measure.js'
import { postgresStage, redisStage } from './rivals/stages.js'
import { eventsStage, outboxStage } from './service/events.js'
import { limitsStage, requestStage, storedStage, variantsStage, type Copy } from './service/requests.js'
import type { Stage } from './target.js'

export const FULL: Plan = { rounds: 5, turns: 1, burstMs: 2_000, leadInMs: 500, warmUpMs: 2_000, mostMs: Infinity }
/** One round, because starting everything takes most of the time. */
export const QUICK: Plan = { rounds: 1, turns: 3, burstMs: 600, leadInMs: 0, warmUpMs: 1_000, mostMs: 41_000 }

const ALL = [1, 16, 64, 256]

export interface Folders {
  /** The data set of few payments. */
  copy: Copy
  /** The data set of a million payments, or the reason why there is none. */
  million: DataSet | string
  /** A folder for anything else that is written. */
  scratch: string
}

export function allStages({ copy, million, scratch }: Folders): Stage[] {
  return [
    echoStage({ name: 'echo', connections: ALL }, 'echo.js'),
    echoStage({ name: 'koa', connections: ALL }, 'koaEcho.js'),
    commitsStage({ name: 'commits', connections: ALL }, scratch),
    requestStage({ name: 'request', connections: ALL }, copy),
    limitsStage({ name: 'request, limits only', connections: ALL }, copy),
    variantsStage(ALL, copy),
    storedStage({ name: 'request, million', connections: ALL }, million),
    eventsStage(copy),
    outboxStage({ name: 'request, outbox', connections: ALL }, copy),
    postgresStage(ALL),
    redisStage(ALL),
  ]
}

export function essentialStages({ copy, million }: Folders): Stage[] {
  return [
    echoStage({ name: 'echo', connections: [64] }, 'echo.js'),
    requestStage({ name: 'request', connections: [64] }, copy),
    storedStage({ name: 'request, million', connections: [64] }, million),
    outboxStage({ name: 'request, outbox', connections: [1, 64] }, copy),
    postgresStage([1, 64], [64]),
    redisStage([64]),
  ]
}
