// Puts fast tests together into few processes. A slow test, or one that was asked for alone, keeps a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { compiled, kindOf } from './choose.mjs'

/**
 * Groups of a full run: each loads and compiles the service anew, so there are only as many as run at once. One more than
 * cores, because a group waits for timers and disks a quarter of its time.
 */
export const GROUPS = Math.min(availableParallelism() + 1, 8)
/** Files of a group: a run of a few files is not worth more processes. */
const LEAST = 12
const GATHER = '../../../test/run/gather.mjs'

/** The files for ava to run, seen from the project's root, and the members of each group. */
export function filesFor(names, root) {
  const slow = names.filter((name) => kindOf(name) !== undefined)
  const fast = names.filter((name) => kindOf(name) === undefined)
  const groups = fast.length <= 1 ? new Map() : groupsOf(fast)
  const entries = [...groups.keys()].map((group) => writeEntry(root, group))
  const alone = groups.size === 0 ? [...fast, ...slow] : slow
  return { files: [...entries, ...alone.map(compiled)], groups: Object.fromEntries(groups) }
}

/** Deals the files out in turn: those that take long lie beside each other, and so every group takes about as long. */
function groupsOf(names) {
  const count = Math.min(GROUPS, Math.ceil(names.length / LEAST))
  return new Map(
    Array.from({ length: count }, (_, at) => [`group ${at + 1}`, names.filter((_, index) => index % count === at)]),
  )
}

/** The file that ava runs for a group. It is the same in every run: another one may be under way. */
function writeEntry(root, group) {
  const path = join('dist', 'test', 'groups', `${group}.test.js`)
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), `import { gather } from '${GATHER}'\n\nawait gather('${group}')\n`)
  return path
}
