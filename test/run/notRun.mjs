// What a run left out, one line for each reason with a count.
import { kindOf } from './choose.mjs'
import { SLOW } from './table.mjs'

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`

function countBy(all, keyOf) {
  const counts = new Map()
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return [...counts]
}

/** The slow tests that were not asked for, and the command that runs them. */
export function leftOutLines(names, words) {
  return countBy(names, kindOf).map(([kind, count]) => {
    const which = words.length === 0 ? kind : words.join(' ')
    return `${counted(count, 'file')} ${SLOW[kind]}: npm run test:all -- ${which}`
  })
}

/** The tests that found something missing on this machine; `test/support/notRun.ts` writes a line for each. */
export function lacking(list) {
  const reasons = list.split('\n').filter((line) => line !== '')
  return countBy(reasons, (reason) => reason).map(
    ([reason, count]) => `${counted(count, 'test')} for lack of ${reason}`,
  )
}
