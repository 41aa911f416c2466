// What is measured, and what starts it: a stage starts servers, each in its own process, and offers the rows that can
// be measured there.
import type { Load } from './loadProcess.js'
import type { Measured } from './load.js'

export interface Target {
  name: string
  burst(connections: number, ms: number): Promise<Measured>
  /** CPU time that all processes that serve it have used so far, in microseconds. */
  cpuMicros(): number
  /** Events that have arrived so far, if any are sent. */
  delivered?(): Promise<number>
  /** Resolves when all work for the requests is done. */
  settled?(): Promise<void>
  /** The factor by which its warm-up is longer than others; 1 by default. */
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
  /** Rejects with `NotRun` if it cannot run on this machine. */
  start(load: Load): Promise<Running>
}

/** Something optional is missing on this machine; the rows are listed with the reason. */
export class NotRun extends Error {}

export interface Exchange {
  /** Whole requests, head and body, sent in turn. */
  requests: string[]
  /** Text that every answer must contain; one without it ends the bench. */
  expected: string
  /** A follow-up to each answer. */
  follow?: Follow
}

/** A second request about the id in the answer to the first one. */
export interface Follow {
  beforeId: string
  afterId: string
  expected: string
}

/** The load replaces this with a number that no other request has. */
export const NUMBER = '##########'

/** A POST of JSON as it is on the wire; with its own idempotency key unless `isKeyed` is false. */
export function postOf(path: string, body: object, key: string, isKeyed = true): string {
  const json = JSON.stringify(body)
  const idempotency = isKeyed ? [`Idempotency-Key: bench-${NUMBER}`] : []
  const content = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]
  return `${[...headOf(path, key), ...idempotency, ...content].join('\r\n')}\r\n\r\n${json}`
}

/** Executes the approved payment. */
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
