// The programs of the guide to x402 work as they stand: the seller sells, the agent buys once, and then hears that it has.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { fundedAgent } from '../../support/payments.js'
import { insideProject } from '../../support/root.js'
import { start } from '../../support/service.js'
import { blocksIn, DEFAULT_URL } from './blocks.js'

const SELLER_PORT = 4020
const [seller = '', buyer = ''] = blocksIn('docs/guides/x402.md').flatMap(({ language, text }) =>
  language === 'js' ? [text] : [],
)

/** Inside the project, so that `bursar/sdk` resolves to the project's own. */
function folderFor(t: ExecutionContext): string {
  const folder = mkdtempSync(join(insideProject, 'x402-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function ran(file: string, env: { [name: string]: string }): Promise<{ out: string; error: string }> {
  const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH']!, ...env } })
  const said = { out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.error += part.toString()))
  await once(child, 'close')
  return said
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } catch {
    return isListening(port)
  } finally {
    socket.destroy()
  }
}

test('the seller of the guide sells to its buyer, once', async (t) => {
  const { client, url } = await start(t)
  const { key } = await fundedAgent(client)
  const folder = folderFor(t)
  const [selling, buying] = [join(folder, 'seller.mjs'), join(folder, 'buyer.mjs')]
  writeFileSync(selling, seller)
  writeFileSync(buying, buyer.replace(DEFAULT_URL, url))
  const child = spawn(process.execPath, [selling], { stdio: 'inherit' })
  t.teardown(() => child.kill())
  await isListening(SELLER_PORT)
  t.is((await ran(buying, { BURSAR_AGENT_KEY: key })).out, '200 EXECUTED the report\n')
  t.regex((await ran(buying, { BURSAR_AGENT_KEY: key })).error, /code: 'ALREADY_EXECUTED'/)
})
