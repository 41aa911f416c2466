// The manifest of the bundle for desktop clients: how its program is started, and what the person is asked for.
import { TOOLS } from '../../../src/mcp/tools/index.js'

export interface Described {
  name: string
  version: string
  description: string
  license: string
}

/** `program` is the path of the program in the bundle. */
export function manifestOf({ name, version, description, license }: Described, program: string): object {
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Bursar',
    version,
    description,
    license,
    author: { name: 'Bursar' },
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${program}`],
        env: { BURSAR_URL: '${user_config.url}', BURSAR_AGENT_KEY: '${user_config.agent_key}' },
      },
    },
    tools: TOOLS.map((tool) => ({ name: tool.name, description: tool.title })),
    compatibility: { runtimes: { node: '>=20.19' } },
    user_config: {
      url: {
        type: 'string',
        title: 'Address',
        description: 'Where Bursar runs: https://bursar.example.com',
        required: true,
      },
      agent_key: {
        type: 'string',
        title: 'Agent key',
        description: 'The key of the agent that this client acts for',
        sensitive: true,
        required: true,
      },
    },
  }
}
