// What the database of the nodes has: every secret of an installation was given to it, and none is there in clear, in
// whatever form.
import { createDecipheriv } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import test from 'ava'
import type { Webhook } from '../../../sdk/api.js'
import { newClient } from '../../support/client.js'
import { KEYSTORE_KEY, nodeEnv, owning, startFollowing } from '../../support/nodes.js'
import { ask, fundedAgent, made } from '../../support/payments.js'
import { invite, newPerson, tokenIn } from '../../support/people.js'
import { lent } from '../../support/postgres/lent.js'
import { startSingle } from '../../support/postgres/single.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'

const TABLES = ['journal', 'lease', 'directory', 'claim', 'network']
const FILES = ['keyhash.secret', 'checkpoint.secret', 'webhooks.secret']
const MAIL_PASSWORD = 'a password for mails, and long'

/** Everything that the tables have, as bytes. */
async function contents(url: string): Promise<Buffer> {
  const client = new pg.Client(url)
  await client.connect()
  const parts: Buffer[] = []
  for (const table of TABLES) {
    const { rows } = await client.query<{ [field: string]: unknown }>(`select * from bursar_${table}`)
    const values = rows.flatMap((row) => Object.values(row))
    parts.push(...values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)))))
  }
  await client.end()
  return Buffer.concat(parts)
}

/** The private key of each wallet, from the file that has it sealed. */
function walletKeys(folder: string): string[] {
  const keystore = join(folder, 'keystore')
  return readdirSync(keystore).map((name) => {
    const file = JSON.parse(readFileSync(join(keystore, name), 'utf8')) as { [field: string]: string }
    const bytes = (field: string): Buffer => Buffer.from(file[field]!, 'base64')
    const opening = createDecipheriv('aes-256-gcm', Buffer.from(KEYSTORE_KEY, 'hex'), bytes('iv'))
    opening.setAAD(Buffer.from(`${name.replace(/\.json$/, '')} ${file['organization']}`)).setAuthTag(bytes('tag'))
    return Buffer.concat([opening.update(bytes('sealed')), opening.final()]).toString('utf8')
  })
}

/** As text, and where it is hexadecimal as bytes; both in base64, too. */
function formsOf(secret: string): Buffer[] {
  const hex = secret.replace(/^0x/, '')
  const raw = /^([0-9a-f]{2}){16,}$/.test(hex) ? [Buffer.from(hex), Buffer.from(hex, 'hex')] : []
  const all = [Buffer.from(secret), ...raw]
  return [...all, ...all.map((bytes) => Buffer.from(bytes.toString('base64').replace(/=+$/, '')))]
}

test('no secret is in the database in clear', async (t) => {
  const database = await lent(t, startSingle)
  if (database === undefined) return
  const more = {
    BURSAR_JOURNAL_SINGLE: '1',
    BURSAR_DEV_LOOPBACK_WEBHOOKS: '1',
    BURSAR_SMTP_URL: `smtp://x:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:1`,
    BURSAR_SMTP_FROM: 'bursar@example.com',
  }
  const node = await owning(await startFollowing(t, newFolder(t), nodeEnv([database.url], more)))
  const client = newClient(t, node.url)
  const agent = await fundedAgent(client, { name: 'A name in clear', balance: 100 })
  const { password, cookie } = await newPerson(client, 'ADMIN')
  const unused = tokenIn(await invite(client, 'ADMIN'))
  const endpoint = { url: 'http://127.0.0.1:1/' }
  const { body } = await client.send<Webhook>('PUT', '/api/webhooks', ORGANIZATION_KEY, endpoint)
  const key = await made<{ key: string }>(client, '/api/api-keys', { name: 'A key', scopePreset: 'READ_ONLY' })
  t.is((await ask(client, agent.key, 5)).status, 200)
  const [, ownerToken] = /owner set-up link .*token=(\S+)/.exec(node.output().stdout)!
  await node.stop()

  const bytes = await contents(database.url)
  t.true(bytes.includes('keyhash.secret') && bytes.includes('A name in clear'), 'nothing is found')
  const secrets = {
    'that of the keystore': KEYSTORE_KEY,
    'that of mails': MAIL_PASSWORD,
    'that of events': body.webhookSecret!,
    'keys of agents': agent.key,
    'keys of organizations': key.key,
    sessions: cookie.split('=')[1]!,
    passwords: password,
    'set-up links': unused,
    'the link of the owner': ownerToken!,
    ...Object.fromEntries(FILES.map((name) => [name, readFileSync(join(node.folder, name), 'utf8').trim()])),
    ...Object.fromEntries(walletKeys(node.folder).map((found, at) => [`wallet ${at}`, found])),
  }
  t.true('wallet 0' in secrets)
  for (const [name, secret] of Object.entries(secrets)) {
    t.true(secret.length >= 16, name)
    for (const form of formsOf(secret)) t.false(bytes.includes(form), name)
  }
})
