// The echoes as stages.
import { startServer } from '../childServer.js'
import { CpuMeter } from '../processes.js'
import { httpTarget, postOf, type RowPlan, type Stage } from '../target.js'
import { REQUEST_PATH, WISH } from '../wish.js'

/** The echo with this name; the file of its server is beside this one. */
export function echoStage(row: RowPlan, file: 'echo.js' | 'koaEcho.js'): Stage {
  return {
    rows: [row],
    start: async (load) => {
      const { port, pid, end } = await startServer(new URL(file, import.meta.url))
      const meter = new CpuMeter(pid)
      const exchange = { requests: [postOf(REQUEST_PATH, WISH, 'nobody')], expected: `"amount":${WISH.amount}` }
      const target = httpTarget(load, { name: row.name, port, ...exchange, cpuMicros: () => meter.micros() })
      return { targets: [target], end }
    },
  }
}
