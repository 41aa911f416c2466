// bursar approvals with governance: a change shows who asked for it, and its secret is collected by that one alone.
import test from 'ava'
import { runCommand } from '../../src/cli/bursar.js'
import { startGovernance } from '../support/governance.js'
import { ORGANIZATION_KEY } from '../support/process.js'
import { surroundings } from '../support/commandContext.js'

test('a key that needs approval is collected after it', async (t) => {
  const stage = await startGovernance(t)
  await stage.enable()
  const run = async (...args: string[]) => {
    const context = surroundings({ env: { BURSAR_URL: stage.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
    const exit = await runCommand(args, context)
    return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
  }
  const asked = await run('keys', 'create', 'deploy')
  t.is(asked.exit, 1)
  const [, id] = /^Once approved, get the key: bursar approvals collect (c\w{24})$/m.exec(asked.error)!
  t.regex((await run('approvals', 'show', id!)).out, /^requested by +ORGANIZATION_KEY c\w{24}$/m)
  const early = await run('approvals', 'collect', id!)
  t.is(early.exit, 1)
  t.regex(early.error, /^INVALID_STATUS/)
  await stage.decide(stage.admin2.cookie, id!)
  const { exit, out } = await run('approvals', 'collect', id!)
  t.is(exit, 0)
  t.regex(out, /^key +service_\w+$/m)
  t.regex(out, /shown only once/)
})

test('a new signing secret and the link of a new member are collected, too', async (t) => {
  const stage = await startGovernance(t)
  await stage.must('PUT', '/api/webhooks', { url: 'https://one.example.com/in' })
  await stage.enable()
  for (const [path, body, shown] of [
    ['/api/webhooks/rotate-secret', undefined, /^secret +whsec_\S+$/m],
    ['/api/members', { email: 'bob@example.com', role: 'ADMIN' }, /^set-up link +http\S+$/m],
  ] as const) {
    const id = await stage.pend('POST', path, body)
    await stage.decide(stage.admin2.cookie, id)
    const context = surroundings({ env: { BURSAR_URL: stage.url, BURSAR_API_KEY: ORGANIZATION_KEY } })
    t.is(await runCommand(['approvals', 'collect', id], context), 0)
    t.regex(context.said.join('\n'), shown)
  }
})
