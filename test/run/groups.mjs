// Puts fast tests together into few processes: one entry file for each folder, or for a part of a large one, which
// loads its tests in turn. A slow test, or one that was asked for alone, keeps a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compiled, kindOf } from './choose.mjs'

/** Files of a group: more would leave one core with the last group alone, fewer would load the service more often. */
const MOST = 12
const GATHER = '../../../test/run/gather.mjs'

/** The files for ava to run, seen from the project's root. */
export function filesFor(names, root) {
  const slow = names.filter((name) => kindOf(name) !== undefined)
  const fast = names.filter((name) => kindOf(name) === undefined)
  if (fast.length <= 1) return [...fast, ...slow].map(compiled)
  const entries = [...groupsOf(fast)].map(([group, members]) => writeEntry(root, group, members))
  return [...entries, ...slow.map(compiled)]
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

function writeEntry(root, group, members) {
  const path = join('dist', 'test', 'groups', `${group}.test.js`)
  const list = JSON.stringify(members, null, 2)
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), `import { gather } from '${GATHER}'\n\nawait gather(${list})\n`)
  return path
}
