// Puts fast tests together into few processes, in the order of their folders. A slow test, or one that was asked for
// alone, keeps a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compiled, kindOf } from './choose.mjs'

/** Files of a group: more would leave one core with the last group alone, fewer would load the service more often. */
const MOST = 14
/** What takes longest is a group of its own, and begins first. */
const LONGEST = 'simulation/simulation'
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

/** Files that lie beside each other share a group, whose name says where it begins; ava runs groups by their names. */
function groupsOf(names) {
  const others = names.filter((name) => name !== LONGEST)
  const parts = Math.ceil(others.length / MOST)
  const size = Math.ceil(others.length / parts)
  const members = Array.from({ length: parts }, (_, part) => others.slice(part * size, (part + 1) * size))
  const all = others.length < names.length ? [[LONGEST], ...members] : members
  return new Map(
    all.filter((one) => one.length > 0).map((one, at) => [`${twoDigits(at + 1)} ${folderOf(one[0])}`, one]),
  )
}

const twoDigits = (number) => String(number).padStart(2, '0')
const folderOf = (name) => dirname(name).replaceAll('/', '-').replace(/^\.$/, 'root')

/** The file that ava runs for a group. It is the same in every run: another one may be under way. */
function writeEntry(root, group) {
  const path = join('dist', 'test', 'groups', `${group}.test.js`)
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), `import { gather } from '${GATHER}'\n\nawait gather('${group}')\n`)
  return path
}
