// Skips a test whose requirements this machine lacks: the test passes, and the run ends with a line for each lack that
// counts its tests.
import { appendFileSync } from 'node:fs'
import type { ExecutionContext } from 'ava'

/** The variable with which `npm test` names a file; it counts the lines that tests append to it. */
const LIST = 'NOT_RUN_LIST'

/** Skips the rest of a test; `lacking` names what is missing. */
export function notRun(t: ExecutionContext, lacking: string): void {
  t.log(`NOT RUN, for lack of ${lacking}`)
  t.pass()
  const list = process.env[LIST]
  if (list !== undefined) appendFileSync(list, `${lacking.replaceAll('\n', ' ')}\n`)
}
