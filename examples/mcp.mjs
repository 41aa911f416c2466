// The tools as a Model Context Protocol server on stdin and stdout, one JSON-RPC message per line. Client settings:
//   {"mcpServers": {"bursar": {"command": "node", "args": ["examples/mcp.mjs"],
//     "env": {"BURSAR_URL": "http://127.0.0.1:3000", "BURSAR_AGENT_KEY": "service_agent_…"}}}}
import { runTool, TOOLS } from './tools.mjs'

const VERSION = '2025-06-18'

const METHODS = {
  initialize: ({ protocolVersion = VERSION }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bursar', version: '0.1.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
  }),
  'tools/call': async ({ name, arguments: input = {} }) => {
    const { answer, isError } = await runTool(name, input)
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], isError }
  },
}

async function reply({ id, method, params = {} }) {
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (run === undefined) return { id, error: { code: -32601, message: `There is no method ${method}` } }
  try {
    return { id, result: await run(params) }
  } catch (error) {
    return { id, error: { code: -32603, message: String(error?.message ?? error) } }
  }
}

function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function take(line) {
  const message = parsed(line)
  const unread = { id: null, error: { code: -32700, message: 'This line is not JSON' } }
  // Notifications have no id and get no answer.
  if (message && message.id === undefined) return
  const answer = message ? await reply(message) : unread
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`)
}

// Only a line feed ends a message: node:readline also ends lines at U+2028, which JSON may contain.
let rest = ''
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop()
  for (const line of lines) void take(line)
})
