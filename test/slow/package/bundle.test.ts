// The bundle for desktop clients, as they install it: unpacked, and started by the command of its manifest with what the
// person has entered, it serves the tools to the official clients of both lines.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { callEveryTool } from '../../support/everyTool.js'
import { connectTools, LINES } from '../../support/mcp.js'
import { fundedAgent } from '../../support/payments.js'
import { filled } from '../../support/placeholders.js'
import { newFolder, type Scope } from '../../support/process.js'
import { start } from '../../support/service.js'
import { bundled, mcpb } from './bundle.js'

const MOST_BYTES = 500_000
/** Where `node` is the one that runs this test. */
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`

interface Command {
  command: string
  args: string[]
  env: { [name: string]: string }
}

async function installed(scope: Scope): Promise<{ folder: string; bytes: number }> {
  const { path, bytes } = await bundled(newFolder(scope))
  const folder = newFolder(scope)
  mcpb('unpack', path, folder)
  return { folder, bytes }
}

function commandOf(folder: string, entered: { url: string; agent_key: string }): Command {
  const manifest = filled(readFileSync(join(folder, 'manifest.json'), 'utf8'), { ...entered, __dirname: folder })
  const { server } = JSON.parse(manifest) as { server: { mcp_config: Command } }
  return { ...server.mcp_config, env: { ...server.mcp_config.env, PATH } }
}

test('the installed bundle serves each tool', async (t) => {
  t.timeout(120_000)
  const { folder, bytes } = await installed(t)
  t.true(bytes < MOST_BYTES, `${bytes} bytes`)
  mcpb('validate', join(folder, 'manifest.json'))
  const service = await start(t)
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }]
  const { organizationKey } = await fundedAgent(service.client)
  const policy = { name: 'Ask', policyType: 'COMPOSITE', scope: 'organization', rules }
  t.is((await service.client.post('/api/policies', organizationKey, policy)).status, 201)
  for (const line of LINES) {
    const { key } = await fundedAgent(service.client, { name: `Agent of ${line}` })
    const command = commandOf(folder, { url: service.url, agent_key: key })
    await callEveryTool(t, await connectTools(t, line, command))
  }
  const { command, args, env } = commandOf(folder, { url: 'bursar', agent_key: '' })
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  t.deepEqual([status, stdout], [2, ''])
  t.regex(stderr, /^Enter the address of the service and the key of an agent/)
})
