// The shell blocks of the README work unchanged.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { notRun } from '../../support/notRun.js'
import { projectRoot } from '../../support/root.js'
import { newFolder, startService } from '../../support/process.js'
import { blocksIn, DEFAULT_URL, KEY, missingLines, missingTool, runBlocks } from './blocks.js'

const inLanguage = (wanted: string): string[] =>
  blocksIn('README.md').flatMap(({ language, text }) => (language === wanted ? [text] : []))
const [answers = ''] = inLanguage('output')
const [start, firstPayment = '', testing, ...others] = inLanguage('sh')

test('The README has three shell blocks: start, a first payment, and test', (t) => {
  t.is(start, 'npm install && npm start\n')
  t.is(testing, 'npm install && npm test\n')
  t.deepEqual(others, [])
})

test('The first payment takes at most 12 lines, and only the key has to be changed', (t) => {
  t.true(firstPayment.trimEnd().split('\n').length <= 12)
  t.is(firstPayment.split(KEY).length, 2)
  t.is(firstPayment.split(DEFAULT_URL).length, 2)
})

test('One payment is executed and one is denied, as written, on any day of the week', async (t) => {
  const missing = missingTool()
  if (missing !== undefined) return notRun(t, missing)
  const { url } = await startService(t, newFolder(t))
  const [written = ''] = await runBlocks(t, [firstPayment], { url })
  t.is(answers.trimEnd().split('\n').length, 2)
  t.deepEqual(missingLines(written, answers), [])
})

test('The first payment can be made a second time, and says so if a request is refused', async (t) => {
  const missing = missingTool()
  if (missing !== undefined) return notRun(t, missing)
  const { url } = await startService(t, newFolder(t))
  for (const written of await runBlocks(t, [firstPayment, firstPayment], { url })) {
    t.deepEqual(missingLines(written, answers), [])
  }
  const refused = await t.throwsAsync(runBlocks(t, [firstPayment.replace('"CUSTOM"', '"NONE"')], { url }))
  t.regex(String(refused), /agentType/)
})

test('With a wrong key the first payment says what is wrong with it, once', async (t) => {
  const missing = missingTool()
  if (missing !== undefined) return notRun(t, missing)
  const { url } = await startService(t, newFolder(t))
  // In a shell as people have it, which goes on after an error.
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', firstPayment.replace(DEFAULT_URL, url)], {
    encoding: 'utf8',
  })
  t.is(stdout, '')
  t.regex(stderr, /^Send a live key [^\n]*\n$/)
})

test('The README has at most 120 lines of at most 120 characters', (t) => {
  const lines = readFileSync(join(projectRoot, 'README.md'), 'utf8').split('\n')
  t.true(lines.length <= 120)
  t.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  )
})
