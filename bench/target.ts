// What is measured, and what brings it up: a stage starts servers, each in a process of its own, and offers the rows
// that can be measured there.
import type { Load } from './loadProcess.js'
import type { Measured } from './load.js'

export interface Target {
  name: string
  burst(connections: number, ms: number): Promise<Measured>
  /** CPU time that all processes which serve it have used so far, microseconds. */
  cpuMicros(): number
  /** Events that arrived so far, where any are sent. */
  delivered?(): Promise<number>
  /** Resolves when nothing is left to do of what was asked for. */
  settled?(): Promise<void>
  /** How many times as long as others it is warmed up; once when left out. */
  warmUps?: number
}

export interface Running {
  targets: Target[]
  end(): Promise<void>
}

export interface RowPlan {
  name: string
  connections: readonly number[]
}

export interface Stage {
  rows: RowPlan[]
  /** Rejects with `NotRun` where this machine cannot have it. */
  start(load: Load): Promise<Running>
}

/** Something is missing that a machine may lack; the rows are named with the reason. */
export class NotRun extends Error {}

export interface Exchange {
  /** Whole requests, head and body, sent in turn. */
  requests: string[]
  /** What every answer holds; one without it ends the bench. */
  expected: string
  /** What is asked about each answer. */
  follow?: Follow
}

/** A second request about the id that the answer to the first one gives. */
export interface Follow {
  beforeId: string
  afterId: string
  expected: string
}

/** The load writes a number here that no other request has. */
export const NUMBER = '##########'

/** A POST of JSON as it goes over the wire; with an idempotency key of its own unless `isKeyed` is false. */
export function postOf(path: string, body: object, key: string, isKeyed = true): string {
  const json = JSON.stringify(body)
  const idempotency = isKeyed ? [`Idempotency-Key: bench-${NUMBER}`] : []
  const content = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]
  return `${[...headOf(path, key), ...idempotency, ...content].join('\r\n')}\r\n\r\n${json}`
}

/** Executes what was approved. */
export function executionBy(key: string): Follow {
  const [line, ...head] = headOf('/api/sdk/payments/ID/execute', key)
  const [beforeId, afterId] = line!.split('ID') as [string, string]
  const rest = [afterId, ...head, 'Content-Length: 0'].join('\r\n')
  return { beforeId, afterId: `${rest}\r\n\r\n`, expected: '"status":"EXECUTED"' }
}

function headOf(path: string, key: string): string[] {
  return [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`]
}

export interface HttpTarget extends Exchange, Omit<Target, 'burst'> {
  name: string
  /** On 127.0.0.1. */
  port: number
}

export function httpTarget(load: Load, { name, port, requests, expected, follow, ...meters }: HttpTarget): Target {
  const exchange = { port, requests, expected, ...(follow && { follow }) }
  return { name, ...meters, burst: (connections, ms) => load.burst({ ...exchange, connections, ms }) }
}
