// Each configuration of a client in examples/mcp leads to the tools: the official client starts the command of the file
// where Bursar is installed, or calls its address, and signs in where the file has no key.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import test from 'ava'
import { connected } from '../../support/oauth.js'
import { fundedAgent } from '../../support/payments.js'
import { newPerson } from '../../support/people.js'
import { filled } from '../../support/placeholders.js'
import { newFolder, type Scope } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'
import { start } from '../../support/service.js'

const FOLDER = join(projectRoot, 'examples', 'mcp')

type Server =
  | { command: string; args: string[]; env: { [name: string]: string } }
  | { url: string; headers?: { [name: string]: string } }

interface Configuration {
  inputs?: { id: string }[]
  servers?: { bursar: Server }
  mcpServers?: { bursar: Server }
}

/** What the file says, with the address and the key of this reader. */
function serverIn(file: string, url: string, key: string): Server {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const { inputs = [] } = JSON.parse(text) as Configuration
  const values = { BURSAR_AGENT_KEY: key, ...Object.fromEntries(inputs.map(({ id }) => [id, key])) }
  const own = filled(text, values).replaceAll('http://127.0.0.1:3000', url).replaceAll('service_agent_…', key)
  const { servers, mcpServers } = JSON.parse(own) as Configuration
  return (servers ?? mcpServers)!.bursar
}

/** A folder where the command of the package is installed. */
function installation(scope: Scope): string {
  const folder = newFolder(scope)
  const commands = join(folder, 'node_modules', '.bin')
  mkdirSync(commands, { recursive: true })
  const command = join(commands, 'bursar')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, 'dist/src/main.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  return folder
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  test(`examples/mcp/${file} leads to the tools`, async (t) => {
    const service = await start(t)
    const { agentId, key } = await fundedAgent(service.client)
    const transportOf = async (server: Server): Promise<Transport> => {
      if ('command' in server) return new StdioClientTransport({ ...server, cwd: installation(t) })
      const { url, headers } = server
      if (headers) return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
      const { cookie } = await newPerson(service.client, 'OWNER')
      const authProvider = await connected(service, cookie, { agentId })
      return new StreamableHTTPClientTransport(new URL(url), { authProvider })
    }
    const client = new Client({ name: 'test', version: '1' })
    t.teardown(() => client.close())
    await client.connect(await transportOf(serverIn(file, service.url, key)))
    const { tools } = await client.listTools()
    t.true(tools.some(({ name }) => name === 'pay'))
    const { isError, structuredContent } = await client.callTool({ name: 'get_limits', arguments: {} })
    t.falsy(isError, JSON.stringify(structuredContent))
  })
}
