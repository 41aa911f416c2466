// The entry of the MCP registry has the form that the registry asks for, as far as the entry uses it, and it names this
// package and settings that the command knows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as v from 'valibot'
import { projectRoot } from '../support/root.js'

const text = (longest: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(longest))

/** Closed, so that a new member is compared with the registry's schema when it is added. */
const Entry = v.strictObject({
  $schema: v.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: v.pipe(text(200), v.regex(/^io\.github\.[a-z\d-]+\/[a-z\d-]+$/)),
  title: text(100),
  description: text(100),
  version: v.pipe(text(255), v.regex(/^\d+\.\d+\.\d+$/)),
  packages: v.tuple([
    v.strictObject({
      registryType: v.literal('npm'),
      identifier: v.string(),
      version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/)),
      transport: v.strictObject({ type: v.literal('stdio') }),
      packageArguments: v.tuple([v.strictObject({ type: v.literal('positional'), value: v.literal('mcp') })]),
      environmentVariables: v.array(
        v.strictObject({
          name: v.picklist(['BURSAR_URL', 'BURSAR_AGENT_KEY']),
          description: v.string(),
          format: v.literal('string'),
          isRequired: v.boolean(),
          isSecret: v.optional(v.boolean()),
        }),
      ),
    }),
  ]),
})

const read = (name: string): unknown => JSON.parse(readFileSync(join(projectRoot, name), 'utf8'))

test('the entry of the registry has its form, and names this package', (t) => {
  const { name, version, mcpName } = read('package.json') as { name: string; version: string; mcpName: string }
  const entry = v.parse(Entry, read('server.json'))
  t.like(entry, { name: mcpName, version, packages: [{ identifier: name, version }] })
  const secret = entry.packages[0].environmentVariables.filter(({ isSecret }) => isSecret)
  t.deepEqual(
    secret.map((variable) => variable.name),
    ['BURSAR_AGENT_KEY'],
  )
})
