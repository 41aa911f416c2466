// Whoever goes from one page to the next finds the same names: of what the blocks make, and of what helps them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { projectRoot } from '../support/root.js'

const guides = readdirSync(join(projectRoot, 'docs/guides')).map((name) => `docs/guides/${name}`)
const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const pages = ['README.md', 'docs/tutorial.md', ...guides].map((path): [string, string] => [path, textOf(path)])

test('agents, wallets and keys have the same variables on every page', (t) => {
  for (const [path, text] of pages)
    t.notRegex(text, /^(agentId|agentKey|walletId)=|\$(agentId|agentKey|walletId)\b/m, path)
})

test('the helper that reads an answer is the same on every page, and prints the error of one that lacks the field', (t) => {
  const helpers = pages.flatMap(([, text]) => text.match(/^field\(\).*$/gm) ?? [])
  t.is(new Set(helpers).size, 1)
  t.regex(helpers[0]!, /console\.error\(a\.error\)/)
})

test('where programs read the key of an agent that a block has made, it is exported', (t) => {
  for (const path of ['README.md', 'docs/tutorial.md', 'docs/guides/x402.md']) {
    t.true(textOf(path).includes('export BURSAR_AGENT_KEY=$agent_key'), path)
  }
})

test('the pages that use the package say how it is installed', (t) => {
  for (const path of ['docs/guides/mcp.md', 'docs/guides/x402.md', 'docs/sdk.md']) {
    t.regex(textOf(path), /\]\((\.\.\/|guides\/)?(guides\/)?operating\.md#install\)/, path)
  }
  t.regex(textOf('docs/guides/operating.md'), /^## Install$[^]*^npm pack$[^]*^npm install -g /m)
})
