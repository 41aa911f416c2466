// npm test and npm run test:all: runs the tests that the words of the command line choose (all without a word), then
// says what was left out and which command runs it. Options with a dash, such as --match=TITLE, go to ava.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { choose, kindOf, testsIn, UnknownWord } from './choose.mjs'
import { newFolder, removeFolder, runConfined } from './confined.mjs'
import { filesFor, GROUPS } from './groups.mjs'
import { lacking, leftOutLines } from './notRun.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ava = fileURLToPath(new URL('cli.mjs', import.meta.resolve('ava')))

/** All groups run at once. */
const AT_ONCE = `--concurrency=${GROUPS}`

const isSlow = (name) => kindOf(name) !== undefined

function chosen(words, isEverything) {
  try {
    return choose(testsIn(join(root, 'dist', 'test')), words, isEverything)
  } catch (error) {
    if (!(error instanceof UnknownWord)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

async function main([mode, ...args]) {
  const isEverything = mode === 'all'
  const words = args.filter((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-'))
  const { run, leftOut } = chosen(words, isEverything)
  const folder = newFolder(run.some(isSlow))
  const inside = mkdtempSync(join(root, 'dist', 'run-'))
  const [list, groupList] = [join(folder, 'not-run'), join(folder, 'groups.json')]
  // The random tests of a run of everything have their full depth.
  const depth = process.env.DEPTH ?? (isEverything ? '1' : '0.1')
  const env = { NOT_RUN_LIST: list, TEST_GROUPS: groupList, DEPTH: depth, BENCH_DISK: folder, INSIDE_PROJECT: inside }
  try {
    if (run.length > 0) {
      const { files, groups } = filesFor(run, root)
      writeFileSync(groupList, JSON.stringify(groups))
      const command = [ava, ...(run.some(isSlow) ? [] : [AT_ONCE]), ...options, ...files]
      process.exitCode = await runConfined(process.execPath, command, { cwd: root, env, folder })
    }
    const lines = [...leftOutLines(leftOut, words), ...lacking(existsSync(list) ? readFileSync(list, 'utf8') : '')]
    process.stdout.write(lines.map((line) => `NOT RUN  ${line}\n`).join(''))
  } finally {
    removeFolder(folder)
    removeFolder(inside)
  }
}

await main(process.argv.slice(2))
