// The program of the bundle for desktop clients (.mcpb): the tools over standard input and output, with what the person has
// entered in the client. It is built into one file.
import { packageVersion } from '../config/version.js'
import { serveOnStdio } from '../mcp/stdio.js'

const { BURSAR_URL: url = '', BURSAR_AGENT_KEY: apiKey = '' } = process.env

if (URL.canParse(url) && apiKey !== '') {
  await serveOnStdio({
    nodes: [new URL(url).origin],
    apiKey,
    version: packageVersion(),
    complain: (line) => void process.stderr.write(`${line}\n`),
  })
} else {
  process.stderr.write('Enter the address of the service and the key of an agent in the settings of this extension\n')
  process.exitCode = 2
}
