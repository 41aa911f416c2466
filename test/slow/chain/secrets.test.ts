// Secrets: the keys of wallets and the key that seals them, the operator's key in a node's URL, and a provider's token
// appear in no log and no answer. The path of an adapter that cannot be loaded appears in the log only.
import { createDecipheriv } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { privateKeyToAddress } from 'viem/accounts'
import { newClient } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { ask, execute, status } from '../../support/payments.js'
import { Proxy, type Deed } from './proxy.js'
import { approved, newPayer, newRecipient, settled, startChain, until } from '../../support/chain.js'

const SEAL = '5ea1'.repeat(16)
const RPC_KEY = 'rpc-key-of-the-operator'
const TOKEN = 'token-of-the-signing-server'
const PLACE = '/no/such/place/of/the/operator'
const ADDRESSES = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC']

function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths.filter((path) => statSync(path).isFile())
}

/** The private key of a managed wallet, decrypted from its file. */
function privateKeyIn(path: string): string {
  const { address, organization, ...sealed } = JSON.parse(readFileSync(path, 'utf8')) as { [field: string]: string }
  const [iv, tag, text] = [sealed['iv']!, sealed['tag']!, sealed['sealed']!].map((part) => Buffer.from(part, 'base64'))
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(SEAL, 'hex'), iv!)
  decipher.setAAD(Buffer.from(`${address} ${organization}`)).setAuthTag(tag!)
  return Buffer.concat([decipher.update(text!), decipher.final()]).toString('utf8')
}

/** The ways in which a node fails, tried in turn. */
const FAILURES: Deed[] = [
  { answer: { status: 502 } },
  { answer: 'nothing' },
  { forward: false, answer: { error: 'max fee per gas less than block base fee' } },
]

test('Keys, tokens and secrets in node URLs appear in no log and no answer, whatever fails', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const env = {
    ...chain.settings,
    BURSAR_RPC_31337: `${node.url}/v3/${RPC_KEY}?key=${RPC_KEY}`,
    BURSAR_KEYSTORE_KEY: SEAL,
    BURSAR_PROVIDER_A: 'http-signer',
    BURSAR_PROVIDER_A_URL: `${node.url}/${RPC_KEY}`,
    BURSAR_PROVIDER_A_TOKEN: TOKEN,
    BURSAR_PROVIDER_B: `${PLACE}/adapter.mjs`,
  }
  const service = await startService(t, newFolder(t), { env })
  const client = newClient(t, service.url)
  const managed = await newPayer(client, chain, { name: 'Managed' })
  const wallets = ['PROVIDER_A', 'PROVIDER_B'].map((custodyType, index) => ({ custodyType, address: ADDRESSES[index] }))
  const signed = await newPayer(client, chain, { name: 'Signed', wallet: wallets[0]! })
  const broken = await newPayer(client, chain, { name: 'Broken', wallet: wallets[1]! })
  const seen: unknown[] = []
  for (const payer of [managed, signed, broken]) {
    for (const failure of FAILURES) {
      const requestId = await approved(client, payer.key, 1, newRecipient())
      let failed = 0
      node.deed = ({ method }) => {
        if (!/^eth_(sendRawTransaction|getTransactionByHash|signTransaction)$/.test(method)) return undefined
        failed += 1
        return failure
      }
      const executed = await execute(client, payer.key, requestId)
      seen.push(executed)
      if (executed.status === 200) await until(async () => (failed > 2 ? true : undefined), 'nothing failed')
      node.deed = () => undefined
      if (executed.status === 200) await settled({ chain, client }, payer.key, requestId)
      seen.push(await status(client, payer.key, requestId))
      await chain.mine(1)
    }
  }
  for (const path of ['transactions', 'wallets', 'audit-log', 'payments'])
    seen.push(await client.get(`/api/${path}`, ORGANIZATION_KEY))
  node.deed = () => ({ answer: 'nothing' })
  seen.push(await ask(client, managed.key, 1), await client.get(`/api/wallets/${managed.walletId}`, ORGANIZATION_KEY))
  const written = service.output()
  t.regex(written.stderr, /a transfer could not be followed/)
  t.regex(written.stderr, new RegExp(PLACE), 'the operator has to know')
  const answers = JSON.stringify(seen)
  t.regex(answers, /WALLET_CONFIG_ERROR/)
  t.notRegex(answers, new RegExp(PLACE))
  const keyFile = filesIn(service.folder).find((path) => path.endsWith(`${managed.address}.json`))!
  const privateKey = privateKeyIn(keyFile)
  t.is(privateKeyToAddress(privateKey as `0x${string}`), managed.address as never)
  const kept = filesIn(service.folder).map((path) => readFileSync(path, 'latin1'))
  for (const secret of [privateKey.slice(2), SEAL])
    t.false(
      kept.some((text) => text.includes(secret)),
      'the folder',
    )
  const said = { stdout: written.stdout, stderr: written.stderr, answers }
  for (const [where, text] of Object.entries(said)) {
    for (const secret of [RPC_KEY, TOKEN, SEAL, privateKey.slice(2)])
      t.false(text.includes(secret), `${secret.slice(0, 5)} in ${where}`)
  }
  t.notRegex(written.stderr, /0x02f8[0-9a-f]{100}/, 'what was signed')
})
