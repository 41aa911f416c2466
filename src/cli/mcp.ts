// bursar mcp: the tools of an agent for a client that starts this command, over its standard input and output.
import { packageVersion } from '../config/version.js'
import { UsageError, type Command } from './terminal/command.js'
import { connectionOf } from './terminal/connection.js'

const mcp: Command = {
  usage: 'mcp',
  summary: 'serve the tools of the agent of BURSAR_AGENT_KEY to an MCP client, over standard input and output',
  run: async (args, context) => {
    if (args.length > 0)
      throw new UsageError('bursar mcp takes no arguments: BURSAR_AGENT_KEY and BURSAR_URL say the rest')
    const apiKey = context.env['BURSAR_AGENT_KEY']
    if (apiKey === undefined || apiKey === '') throw new UsageError('Give the agent key in BURSAR_AGENT_KEY')
    const { nodes } = await connectionOf(context, false)
    const { serveOnStdio } = await import('../mcp/stdio.js')
    await serveOnStdio({
      nodes,
      apiKey,
      version: packageVersion(),
      complain: (line) => context.complain(line),
    })
    return 0
  },
}

export const mcpCommands = { mcp }
