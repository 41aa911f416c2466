// bursar init on a real terminal: what a user sees and types, and what is saved.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { formKey } from '../../../src/domain/access/apiKey.js'
import { notRun } from '../../support/notRun.js'
import { newFolder, ORGANIZATION_KEY, startService, wholeFile, type Service } from '../../support/process.js'
import { converse, hasTerminals, KEYS, type Seen, type Turn } from './terminal.js'

const ADDRESS = 'Address of the service [http://127.0.0.1:3000]:'
const KEY = 'Organization key (not shown):'
const NAME = 'Name of the first agent [first-agent]:'
const { enter, interrupt, end, up } = KEYS

const scope = wholeFile(test)
let service: Service

test.before(async () => {
  service = await startService(scope, newFolder(scope))
})

interface Person {
  /** The folder of the saved connection. */
  folder: string
  init(...turns: Turn[]): Promise<Seen>
}

function person(t: ExecutionContext): Person {
  const home = newFolder(t)
  mkdirSync(home)
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm' }
  return { folder: join(home, '.config', 'bursar'), init: (...turns) => converse(t, 'init', env, turns) }
}

function onTerminal(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  test.serial(title, (t) => (hasTerminals() ? run(t) : notRun(t, 'the script of util-linux')))
}

// Before the service has an agent: then init asks for no name.
onTerminal('Ctrl-C or Ctrl-D at a question leaves nothing behind', async (t) => {
  const answers: Turn[] = [
    [ADDRESS, service.url + enter],
    [KEY, ORGANIZATION_KEY + enter],
  ]
  for (const [at, question, leaving] of [
    [0, ADDRESS, interrupt],
    [1, KEY, end],
    [2, NAME, interrupt],
  ] as const) {
    const { folder, init } = person(t)
    const { screen, exit } = await init(...answers.slice(0, at), [question, leaving])
    t.is(exit, 1)
    t.deepEqual(screen.slice(-2), [question, 'No response'])
    t.false(existsSync(folder))
  }
})

onTerminal('init shows each question with its answer, but never the key', async (t) => {
  const { folder, init } = person(t)
  const { written, screen, exit } = await init(
    [ADDRESS, service.url + enter],
    [KEY, ORGANIZATION_KEY + enter],
    [NAME, `${up}mine${enter}`],
  )
  t.is(exit, 0)
  t.deepEqual(screen.slice(0, 3), [`${ADDRESS} ${service.url}`, KEY, `${NAME} mine`])
  t.regex(screen.join('\n'), /^agent +mine \(c\w{24}\)$/m)
  t.false(written.includes(ORGANIZATION_KEY.slice(-8)))
  t.deepEqual(readdirSync(folder), ['connection.json'])
  t.is(statSync(join(folder, 'connection.json')).mode & 0o777, 0o600)
  const kept: unknown = JSON.parse(readFileSync(join(folder, 'connection.json'), 'utf8'))
  t.deepEqual(kept, { url: service.url, apiKey: ORGANIZATION_KEY })
})

onTerminal('Ctrl-C during a request to the service leaves nothing behind', async (t) => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => void silent.close().closeAllConnections())
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { folder, init } = person(t)
  const asked = once(silent, 'request')
  const turns: Turn[] = [
    [ADDRESS, url + enter],
    [KEY, ORGANIZATION_KEY + enter],
    [asked, interrupt],
  ]
  t.is((await init(...turns)).exit, 130)
  t.false(existsSync(folder))
})

onTerminal('init replaces a saved connection only after a confirmation', async (t) => {
  const { folder, init } = person(t)
  const file = join(folder, 'connection.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, '{}', { mode: 0o600 })
  const replace = `${file} exists already. Replace it? [y/N]`
  for (const no of ['', 'what']) {
    const { screen, exit } = await init([replace, no + enter])
    t.is(exit, 1)
    t.is(screen.at(-1), 'The connection was not changed')
    t.is(readFileSync(file, 'utf8'), '{}')
  }
  const answers: Turn[] = [
    [ADDRESS, service.url + enter],
    [KEY, ORGANIZATION_KEY + enter],
  ]
  t.is((await init([replace, `y${enter}`], ...answers)).exit, 0)
  t.like(JSON.parse(readFileSync(file, 'utf8')), { url: service.url })
})

onTerminal('init asks for a name neither with a wrong key nor if there is an agent', async (t) => {
  const wrong = formKey('organization', '9'.repeat(40))
  for (const [key, exit] of [
    [wrong, 1],
    [ORGANIZATION_KEY, 0],
  ] as const) {
    const { folder, init } = person(t)
    const seen = await init([ADDRESS, service.url + enter], [KEY, key + enter])
    t.is(seen.exit, exit)
    t.false(seen.written.includes(NAME))
    t.is(existsSync(folder), exit === 0)
  }
})
