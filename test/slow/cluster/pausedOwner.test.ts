// An owner that is paused in the middle of a transfer, and woken when another node owns the shard and has made it: it signs
// and sends nothing. The journal cannot refuse what leaves the process, so only the lease can.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { MICROS, newPayer, newRecipient, nonceOf, settled, startChain, until, type Payer } from '../../support/chain.js'
import { newClient, type Client } from '../../support/client.js'
import { nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { ask } from '../../support/payments.js'
import { lent } from '../../support/postgres/lent.js'
import { startSingle } from '../../support/postgres/single.js'
import { newFolder, type Service } from '../../support/process.js'
import { Proxy, type Call, type Deed } from '../chain/proxy.js'

/** The second of anvil's own accounts, for which it signs on request: each signature is a call that is seen. */
const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const AMOUNT = 7
const ACTS = ['eth_signTransaction', 'eth_sendRawTransaction']

interface Moment {
  title: string
  /** The call in which the owner is paused; its answer is the first thing that it finds when it wakes. */
  pausedIn: (call: Call, recipient: string) => boolean
  /** What it does with that answer. */
  nextAct: string
  /** What the owner's other calls meet before. */
  meanwhile?: (call: Call) => Deed | undefined
  /** An answer in place of the chain's, which knows of the other node's transfer by then. */
  answer?: Deed['answer']
}

const MOMENTS: Moment[] = [
  {
    title: 'signed',
    pausedIn: ({ method, params }, recipient) =>
      method === 'eth_estimateGas' && (params[0] as { data: string }).data.includes(recipient.slice(2)),
    nextAct: 'eth_signTransaction',
  },
  {
    title: 'sent again what its node had not taken',
    meanwhile: ({ method }) =>
      method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined,
    pausedIn: ({ method }) => method === 'eth_getTransactionByHash',
    answer: { result: null },
    nextAct: 'eth_sendRawTransaction',
  },
]

interface Settling {
  node: Service
  /** Between the node and its chain, which signs as well. */
  chainProxy: Proxy
}

async function startSettling(t: ExecutionContext, chain: LocalChain, database: string): Promise<Settling> {
  const chainProxy = await Proxy.open(t, chain.url)
  const node = await startFollowing(
    t,
    newFolder(t),
    nodeEnv([database], {
      ...chain.settings,
      BURSAR_LEASE_MS: PATIENT_LEASE_MS,
      BURSAR_JOURNAL_SINGLE: '1',
      BURSAR_RPC_31337: chainProxy.url,
      BURSAR_PROVIDER_A: 'http-signer',
      BURSAR_PROVIDER_A_URL: chainProxy.url,
    }),
  )
  return { node, chainProxy }
}

for (const moment of MOMENTS) {
  test.serial(`a woken owner whose next act would have been that it ${moment.title} does nothing`, async (t) => {
    const [chain, database] = [await startChain(t), await lent(t, startSingle)]
    if (!chain || !database) return
    const first = await startSettling(t, chain, database.url)
    await owning(first.node)
    const second = await startSettling(t, chain, database.url)
    const wallet = { custodyType: 'PROVIDER_A', address: ANVILS }
    const payer = await newPayer(newClient(t, first.node.url), chain, { wallet })
    const nonce = await nonceOf(chain, payer.address)
    const recipientAddress = newRecipient()
    const wanted = { recipientAddress, autoExecute: true, idempotencyKey: 'once' }
    const woken = pausedOnce(moment, { first, recipient: recipientAddress }, async () => {
      await owning(second.node)
      await paid(t, { chain, payer, node: second.node, wanted })
    })
    const from = await Promise.race([woken, answered(newClient(t, first.node.url), payer, wanted)])
    t.not((await first.node.exited).code, 0)
    t.regex(first.node.output().stderr, /Another node owns the shard/)
    t.deepEqual(actsIn(first.chainProxy.calls.slice(from)), [])
    t.is(await chain.balanceOf(recipientAddress), AMOUNT * MICROS)
    t.is(await nonceOf(chain, payer.address), nonce + 1)
    t.is(actsIn(second.chainProxy.calls).filter((method) => method === 'eth_sendRawTransaction').length, 1)
  })
}

const actsIn = (calls: readonly Call[]): string[] =>
  calls.map(({ method }) => method).filter((method) => ACTS.includes(method))

interface Paused {
  first: Settling
  recipient: string
}

/** Pauses the owner in the call, wakes it after `work`, and resolves to how many calls it had made until then. */
function pausedOnce(moment: Moment, { first, recipient }: Paused, work: () => Promise<void>): Promise<number> {
  const { node, chainProxy } = first
  return new Promise((resolve, reject) => {
    let isMet = false
    chainProxy.deed = (call) => {
      if (isMet || !moment.pausedIn(call, recipient)) return isMet ? undefined : moment.meanwhile?.(call)
      isMet = true
      return {
        before: async () => {
          process.kill(node.pid, 'SIGSTOP')
          await work().catch(reject)
        },
        ...(moment.answer && { forward: false, answer: moment.answer }),
        sent: () => {
          resolve(chainProxy.calls.length)
          process.kill(node.pid, 'SIGCONT')
        },
      }
    }
  })
}

interface Wanted {
  recipientAddress: string
  autoExecute: boolean
  idempotencyKey: string
}

/** Rejects when the owner answers: it should be paused, and end without an answer. */
async function answered(client: Client, { key }: Payer, wanted: Wanted): Promise<never> {
  const answer = await ask(client, key, AMOUNT, wanted).catch(() => undefined)
  if (answer === undefined) return new Promise(() => {})
  throw new Error(`The owner was not paused, but answered ${JSON.stringify(answer.body)}`)
}

interface Payment {
  chain: LocalChain
  payer: Payer
  node: Service
  wanted: Wanted
}

/** The caller repeats at the new owner what the old one did not answer. */
async function paid(t: ExecutionContext, { chain, payer, node, wanted }: Payment): Promise<void> {
  const client = newClient(t, node.url)
  const { requestId } = await until(async () => {
    const { status, body } = await ask(client, payer.key, AMOUNT, wanted)
    return status === 200 ? body : undefined
  }, 'the new owner does not answer')
  await settled({ chain, client }, payer.key, requestId)
}
