// Runs the tests of several files in one ava process, a file after the other, as if each had a process of its own:
// hooks of a file surround its tests, serial tests come before the others, and no file begins before the last has ended.
// It knows `test`, `test.serial`, and the hooks `before`, `afterEach.always` and `after.always`.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import ava from 'ava'

const TESTS = new URL('../../dist/test/', import.meta.url)

let loading
let running

/** What a gathered file gets when it imports ava. */
export default Object.assign(declare(false), {
  serial: declare(true),
  before: (...given) => void loading.before.push(given.at(-1)),
  afterEach: { always: (...given) => void loading.afterEach.push(given.at(-1)) },
  after: { always: (...given) => void loading.after.push(given.at(-1)) },
  meta: {
    /** The file whose tests run now. */
    get file() {
      return running
    },
  },
})

function declare(isSerial) {
  return (title, run) => void loading.tests.push({ title, run, isSerial, ended: promised() })
}

function promised() {
  let settle
  const promise = new Promise((resolve) => (settle = resolve))
  return { promise, settle }
}

/** Loads the files of a group and hands their tests to ava, which wants them all at once. */
export async function gather(group) {
  register('./resolve.mjs', import.meta.url)
  const groups = JSON.parse(readFileSync(process.env.TEST_GROUPS, 'utf8'))
  const files = []
  for (const name of groups[group]) files.push(await load(name))
  let turn = Promise.resolve()
  for (const file of files) turn = schedule(file, turn)
}

async function load(name) {
  const url = new URL(`${name}.test.js`, TESTS)
  loading = { name, path: fileURLToPath(url), before: [], afterEach: [], after: [], tests: [] }
  try {
    await import(url.href)
  } catch (error) {
    loading.tests = []
    declare(false)('loads', () => {
      throw error
    })
  }
  return loading
}

/** Declares the tests of a file, to run when `turn` has come; resolves when they, and the hooks after them, have ended. */
function schedule(file, turn) {
  const { tests } = file
  const serial = tests.filter(({ isSerial }) => isSerial)
  const closed = promised()
  let opened
  let left = tests.length
  const open = async (t) => {
    running = file.path
    for (const hook of file.before) await hook(t)
  }
  const end = async (one, t) => {
    left -= 1
    try {
      for (const hook of file.afterEach) await hook(t)
      if (left === 0) for (const hook of file.after) await hook(t)
    } finally {
      one.ended.settle()
      if (left === 0) closed.settle()
    }
  }
  for (const one of tests) {
    const before = one.isSerial ? serial[serial.indexOf(one) - 1] : serial.at(-1)
    ava(`${file.name} › ${one.title}`, async (t) => {
      // The first teardown that is registered runs last: after all that the test itself registers.
      t.teardown(() => end(one, t))
      await turn
      await (opened ??= open(t))
      await before?.ended.promise
      return one.run(t)
    })
  }
  return tests.length === 0 ? turn : closed.promise
}
