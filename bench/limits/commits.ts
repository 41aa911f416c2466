// The third limit: how fast LMDB alone commits the bytes of a request for the same number of callers in its own
// process, without HTTP and without a decision. Each caller waits until its bytes are on disk.
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../childServer.js'
import type { Measured } from '../load.js'
import { CpuMeter } from '../processes.js'
import type { RowPlan, Stage } from '../target.js'
import { rowsOfRequest, type RequestRow } from './requestRows.js'

export function commitsStage(row: RowPlan, scratch: string): Stage {
  let rows: Promise<RequestRow[]> | undefined
  return {
    rows: [row],
    start: async () => {
      const written = await (rows ??= rowsOfRequest(scratch))
      const folder = mkdtempSync(join(scratch, 'commits-'))
      const file = new URL('committer.js', import.meta.url)
      const { child, pid, end } = await startServer(file, folder, JSON.stringify(written))
      const meter = new CpuMeter(pid)
      const burst = async (callers: number, ms: number): Promise<Measured> => {
        const answer = once(child, 'message')
        child.send({ callers, ms })
        return ((await answer) as [Measured])[0]
      }
      return { targets: [{ name: row.name, burst, cpuMicros: () => meter.micros() }], end }
    },
  }
}
