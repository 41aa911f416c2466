// The official clients of MCP, of both lines, as tests use them: over HTTP with an agent key, or over any transport.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FormerStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Scope } from './process.js'

export interface ToolResult {
  content: { type: string; text: string }[]
  structuredContent: { [name: string]: unknown } & { nextSteps: string[] }
  isError?: boolean
}

export interface ListedTool {
  name: string
  description?: string
  inputSchema: object
  outputSchema?: object
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
}

export interface ToolClient {
  revision: string | undefined
  list(): Promise<ListedTool[]>
  /** Rejects when the client has waited for so long (ms). */
  call(name: string, input?: object, timeout?: number): Promise<ToolResult>
  close(): Promise<void>
}

export type Line = 'current' | 'older revision' | 'former package'
export const LINES: readonly Line[] = ['current', 'older revision', 'former package']

/** How to reach a server: the address of a service, or a command. */
export type Reach = { url: string; key: string } | { command: string; args: string[]; env: { [name: string]: string } }

/** Called with the URL that a person is sent to; without it the client cannot send anybody anywhere. */
type OnPage = (url: string) => void

/** That of the clients, if nothing else is said. */
const PATIENCE_MS = 60_000
const OWN = { name: 'test', version: '1' }

export async function connectTools(scope: Scope, line: Line, reach: Reach, onPage?: OnPage): Promise<ToolClient> {
  const made = line === 'former package' ? await former(reach, onPage) : await current(line, reach, onPage)
  scope.teardown(() => made.close())
  return made
}

const capabilitiesOf = (onPage: OnPage | undefined) => (onPage ? { elicitation: { url: {} } } : {})

async function current(line: Line, reach: Reach, onPage: OnPage | undefined): Promise<ToolClient> {
  const mode = line === 'current' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new Client(OWN, { capabilities: capabilitiesOf(onPage), versionNegotiation: { mode } })
  if (onPage) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      onPage((params as { url: string }).url)
      return { action: 'accept' }
    })
  }
  const transport =
    'url' in reach
      ? new StreamableHTTPClientTransport(new URL('/mcp', reach.url), { requestInit: bearer(reach.key) })
      : new StdioClientTransport(reach)
  await client.connect(transport)
  return {
    revision: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}, timeout = PATIENCE_MS) =>
      (await client.callTool({ name, arguments: { ...input } }, { timeout })) as unknown as ToolResult,
    close: () => client.close(),
  }
}

async function former(reach: Reach, onPage: OnPage | undefined): Promise<ToolClient> {
  const client = new FormerClient(OWN, { capabilities: capabilitiesOf(onPage) })
  if (onPage) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      onPage((params as { url: string }).url)
      return { action: 'accept' }
    })
  }
  const transport =
    'url' in reach
      ? new FormerTransport(new URL('/mcp', reach.url), { requestInit: bearer(reach.key) })
      : new FormerStdioTransport(reach)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    revision: undefined,
    list: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}, timeout = PATIENCE_MS) =>
      (await client.callTool({ name, arguments: { ...input } }, undefined, { timeout })) as unknown as ToolResult,
    close: () => client.close(),
  }
}

function bearer(key: string): RequestInit {
  return { headers: { Authorization: `Bearer ${key}` } }
}
