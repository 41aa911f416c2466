// Compiles TestToken.sol into testToken.ts, which is committed: `npx -y -p solc@0.8.30 -- node compileToken.mjs` where
// solc can be imported, or NODE_PATH points to it. Nothing else needs the compiler.
import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const bins = (process.env.PATH ?? '').split(':').filter((folder) => folder.endsWith('node_modules/.bin'))
const solc = createRequire(join(bins[0] ?? '.', 'x'))('solc')
const source = readFileSync(new URL('TestToken.sol', import.meta.url), 'utf8')
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { TestToken: ['evm.bytecode.object'] } },
}
const input = { language: 'Solidity', sources: { 'TestToken.sol': { content: source } }, settings }
const output = JSON.parse(solc.compile(JSON.stringify(input)))
const problems = (output.errors ?? []).filter(({ severity }) => severity === 'error')
if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))
const code = output.contracts['TestToken.sol'].TestToken.evm.bytecode.object
const lines = code.match(/.{1,116}/g).map((line) => `  '${line}',`)
const [version] = solc.version().split('+')
const text = `// Made from TestToken.sol by compileToken.mjs (solc ${version}): what deploys the token of local chains.
export const TEST_TOKEN_BYTECODE = \`0x\${[
${lines.join('\n')}
].join('')}\` as const
`
writeFileSync(new URL('testToken.ts', import.meta.url), text)
