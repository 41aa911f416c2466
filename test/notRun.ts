// Skips a test whose requirements this machine lacks: the test passes, and the run ends with a list of skipped tests.
import { appendFileSync } from 'node:fs'
import type { ExecutionContext } from 'ava'

/** The variable with which `npm test` names a file; it prints what tests append to the file. */
const LIST = 'NOT_RUN_LIST'

/** Skips the rest of a test; `lacking` names what is missing. */
export function notRun(t: ExecutionContext, lacking: string): void {
  t.log(`NOT RUN, for lack of ${lacking}`)
  t.pass()
  const list = process.env[LIST]
  if (list !== undefined) appendFileSync(list, `${t.title} (for lack of ${lacking})\n`)
}
