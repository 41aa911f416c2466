// How a test says that this machine lacks what it needs: it passes, and the run ends by naming what was left out.
import { appendFileSync } from 'node:fs'
import type { ExecutionContext } from 'ava'

/** `npm test` names a file here, and prints what tests wrote to it. */
const LIST = 'NOT_RUN_LIST'

/** Leaves the rest of a test out; `lacking` is what would have to be there. */
export function notRun(t: ExecutionContext, lacking: string): void {
  t.log(`NOT RUN, for lack of ${lacking}`)
  t.pass()
  const list = process.env[LIST]
  if (list !== undefined) appendFileSync(list, `${t.title} (for lack of ${lacking})\n`)
}
