// Puts fast tests together into few processes: one for each folder, or for a part of a large one. A slow test, or one
// that was asked for alone, keeps a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compiled, kindOf } from './choose.mjs'

/** Files of a group: more would leave one core with the last group alone, fewer would load the service more often. */
const MOST = 12
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

function groupsOf(names) {
  const groups = new Map()
  for (const [folder, members] of byFolder(names)) {
    const parts = Math.ceil(members.length / MOST)
    const size = Math.ceil(members.length / parts)
    for (let part = 0; part < parts; part += 1) {
      const name = folder === '.' ? 'root' : folder.replaceAll('/', '-')
      groups.set(parts === 1 ? name : `${name} ${part + 1}`, members.slice(part * size, (part + 1) * size))
    }
  }
  return groups
}

function byFolder(names) {
  const folders = new Map()
  for (const name of names) folders.set(dirname(name), [...(folders.get(dirname(name)) ?? []), name])
  return folders
}

/** The file that ava runs for a group. It is the same in every run: another one may be under way. */
function writeEntry(root, group) {
  const path = join('dist', 'test', 'groups', `${group}.test.js`)
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), `import { gather } from '${GATHER}'\n\nawait gather('${group}')\n`)
  return path
}
