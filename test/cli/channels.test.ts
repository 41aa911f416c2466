// bursar channels: a channel from a file with its settings, and what becomes of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { runCommand } from '../../src/cli/bursar.js'
import { startChannels } from '../support/channels.js'
import { surroundings } from '../support/commandContext.js'
import { ORGANIZATION_KEY } from '../support/process.js'
import { startReceiver } from '../support/receiver.js'

test('a channel is created, tested, paused, resumed and removed', async (t) => {
  const [stage, receiver] = [await startChannels(t), await startReceiver(t)]
  const run = async (...args: string[]) => {
    const context = surroundings({ env: { BURSAR_URL: stage.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
    const exit = await runCommand(['channels', ...args], context)
    return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
  }
  const file = join(stage.folder, 'settings.json')
  writeFileSync(file, JSON.stringify({ url: receiver.url }))
  const created = await run('create', 'Ops', 'WEBHOOK', file, '--events', 'alert.raised,approval.requested')
  t.is(created.exit, 0, created.error)
  t.regex(created.out, /^signing secret +whsec_\S+$/m)
  t.is((await run('test', 'Ops')).exit, 0)
  await receiver.until((all) => all.length === 1)
  t.regex((await run('list')).out, /Ops +WEBHOOK +ACTIVE +alert.raised, approval.requested/)
  t.regex((await run('pause', 'Ops')).out, /^status +PAUSED$/m)
  t.regex((await run('resume', 'Ops')).out, /^status +ACTIVE$/m)
  t.is((await run('remove', 'Ops')).out, 'Removed')
  t.regex((await run('list')).out, /none/)
})

test('what the file has is refused by the service, and a file that is none by the command', async (t) => {
  const stage = await startChannels(t)
  const run = (...args: string[]) => {
    const context = surroundings({ env: { BURSAR_URL: stage.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
    return runCommand(['channels', 'create', ...args], context)
  }
  const file = join(stage.folder, 'settings.json')
  writeFileSync(file, JSON.stringify({ url: 'http://10.0.0.1/' }))
  t.is(await run('Ops', 'WEBHOOK', file), 1)
  await t.throwsAsync(run('Ops', 'WEBHOOK', join(stage.folder, 'nothing.json')), { message: /cannot be read/ })
  await t.throwsAsync(run('Ops', 'PIGEON', file), { message: /TYPE must be one of/ })
})
