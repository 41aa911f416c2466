// A provider's adapter as an operator would write one: a submitter on top of an anvil that signs for its own accounts.
// It keeps its idempotency keys in memory only, which is enough for tests.
import type { Custody, CustodySettings, Submission, SubmittedOrder } from '../../../src/chain/custody.js'
import { transferData } from '../../../src/chain/node.js'

export function createCustody({ URL: url, ORGANIZATION: served }: CustodySettings): Custody {
  if (url === undefined) throw new Error('URL is missing')
  const sent = new Map<string, Promise<Submission>>()
  const send = async (order: SubmittedOrder): Promise<Submission> => {
    if (served !== undefined && order.organization !== served) {
      return { is: 'refused', code: 'WALLET_CONFIG_ERROR', message: 'The provider does not serve this organization' }
    }
    const transaction = { from: order.from, to: order.asset, data: transferData(order.to, order.amount) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result } = (await answer.json()) as { result?: string }
    if (result !== undefined) return { is: 'accepted', txHash: result }
    return { is: 'refused', code: 'WALLET_CONFIG_ERROR', message: 'The provider has no such account' }
  }
  return {
    kind: 'submitter',
    id: `anvil at ${url}`,
    submit: (order, key) => {
      const known = sent.get(key) ?? send(order)
      sent.set(key, known)
      return known
    },
    status: async (key) => (await sent.get(key)) ?? { is: 'absent' },
  }
}
