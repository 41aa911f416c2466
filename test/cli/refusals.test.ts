// What the commands say of a refusal and of what they find, in this process against a service in it.
import test from 'ava'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { runCommand } from '../../src/cli/bursar.js'
import { start } from '../support/service.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { surroundings } from '../support/commandContext.js'

const scope = wholeFile(test)
let url: string
test.before('the service starts', async () => {
  url = (await start(scope)).url
})

async function run(...args: string[]) {
  const context = surroundings({ env: { BURSAR_URL: url, BURSAR_API_KEY: ORGANIZATION_KEY } })
  const exit = await runCommand(args, context)
  return { exit, out: context.said, error: context.complained }
}

test('a refusal of one field is printed once, of several fields each once', async (t) => {
  const one = await run('wallets', 'create', 'Main', '--custody', 'EXTERNAL')
  t.is(one.exit, 1)
  t.is(one.error.filter((line) => line.includes('address is required')).length, 1, one.error.join('\n'))
  const long = 'x'.repeat(101)
  const { error } = await run('wallets', 'create', long, '--chain-id', '')
  for (const path of ['name', 'chainId']) t.is(error.filter((line) => line.includes(path)).length, 1, error.join('\n'))
})

test('the wallets show which addresses are proved, and proving one again says that it is', async (t) => {
  const owner = privateKeyToAccount(generatePrivateKey())
  await run('wallets', 'create', 'Theirs', '--custody', 'EXTERNAL', '--address', owner.address)
  await run('wallets', 'create', 'Ours')
  const [heading, ...rows] = (await run('wallets', 'list')).out
  t.regex(heading!, / PROVED /)
  t.regex(
    rows.find((row) => row.includes('Theirs'))!,
    / no /,
  )
  t.regex(
    rows.find((row) => row.includes('Ours'))!,
    / yes /,
  )
  t.deepEqual((await run('wallets', 'prove', 'Ours')).out, ["The address is proved already: it is the organization's"])
  t.deepEqual(JSON.parse((await run('wallets', 'prove', 'Ours', '--json')).out.join('')), { proved: true })
  t.regex((await run('wallets', 'prove', 'Theirs')).out[0]!, /^Sign this text/)
})
