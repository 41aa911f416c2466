// The service on a data set, as a stage starts it.
import { rmSync } from 'node:fs'
import { startChild, type Settings } from '../../src/cli/terminal/child.js'
import type { DataSet } from '../stored/dataSet.js'
import type { Load } from '../loadProcess.js'
import { CpuMeter } from '../processes.js'
import type { Server } from '../setup.js'
import { httpTarget, postOf, type HttpTarget, type Target } from '../target.js'
import { REQUEST_PATH, WISH } from '../wish.js'

/** Long enough for the service to reach its full speed: it is more code than the echo. */
export const WARM_UPS = 5

export const APPROVED = '"status":"APPROVED"'

export interface Started extends Server {
  pid: number
  dataSet: DataSet
  meter: CpuMeter
  /** A target of this service; by default a request by the first agent. */
  target(load: Load, name: string, more?: Partial<HttpTarget>): Target
  end(): Promise<void>
}

export async function startOver(dataSet: DataSet, settings: Settings = {}): Promise<Started> {
  const { url, pid, end } = await startChild(dataSet.folder, { BURSAR_RATE_LIMITS: 'off', ...settings })
  const meter = new CpuMeter(pid)
  const port = Number(new URL(url).port)
  const requests = [requestBy(firstAgentOf(dataSet))]
  const target: Started['target'] = (load, name, more = {}) =>
    httpTarget(load, { name, port, requests, expected: APPROVED, cpuMicros: () => meter.micros(), ...more })
  return {
    url,
    firstKey: dataSet.firstKey,
    pid,
    dataSet,
    meter,
    target,
    end: async () => {
      await end('SIGTERM')
      if (dataSet.isCopy) rmSync(dataSet.folder, { recursive: true })
    },
  }
}

/** The key of the agent that sends the requests if there is only one. */
export function firstAgentOf({ agents }: DataSet): string {
  return agents[0]!.key
}

export function requestBy(key: string): string {
  return postOf(REQUEST_PATH, WISH, key)
}
