// Every route that takes rules refuses rules that are meant to break something, and quickly.
import test from 'ava'
import type { Failure } from '../../support/client.js'
import { wholeFile } from '../../support/process.js'
import { HOSTILE } from '../../../bench/hostileRules.js'
import { startStage, type Policy, type Stage } from '../../support/policies.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: unknown) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })

test(`all ${HOSTILE.length} hostile rules are refused quickly`, async (t) => {
  const policy = await stage.policy([MOST(1)])
  const path = `/api/policies/${policy.id}/rules`
  for (const [what, body] of HOSTILE) {
    const before = process.cpuUsage()
    const created = await stage.admin('POST', '/api/policies', body)
    t.is(created.status, 400, what)
    // The processor's time, which other programs on this machine do not lengthen.
    const { user, system } = process.cpuUsage(before)
    t.true((user + system) / 1000 < 500, `${what} took ${(user + system) / 1000} ms`)
    const { rules } = JSON.parse(body) as { rules: [unknown] }
    const replaced = await stage.admin('PUT', path, `{${body.slice(body.indexOf('"rules"'))}`)
    t.is(replaced.status, 400, `${what}, put`)
    if (typeof rules[0] !== 'object' || rules[0] === null) continue
    const single = body.slice(body.indexOf('"rules":[') + '"rules":['.length, -2)
    const added = await stage.admin<Failure>('POST', path, single)
    t.is(added.status, 400, `${what}, added`)
    t.true(['VALIDATION_ERROR', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'INVALID_JSON'].includes(added.body.code))
  }
  t.is((await stage.must<Policy>('GET', `/api/policies/${policy.id}`)).version, 1)
  t.is(({} as { action?: string }).action, undefined)
  t.deepEqual(stage.logged, [])
})
