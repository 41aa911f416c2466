// bursar pay: requests and executes a payment with an agent key, as an agent does.
import { Bursar } from '../../sdk/index.js'
import { KEY_GIVEN, showing, type ShowingRow } from './terminal/asking.js'
import { UsageError, type CommandContext } from './terminal/command.js'
import { connectionOf, keyFromInput } from './terminal/connection.js'
import { record } from './terminal/show.js'

const KEY_FROM = 'Give the agent key in BURSAR_AGENT_KEY or with --key-stdin'

async function agentKey(context: CommandContext, fromInput: boolean): Promise<string> {
  const key = fromInput ? await keyFromInput(context) : context.env['BURSAR_AGENT_KEY']
  if (key !== undefined && key !== '') return key
  throw new UsageError(KEY_FROM)
}

const pay: ShowingRow = {
  usage:
    'pay AMOUNT ADDRESS [--payment-key KEY] [--purpose TEXT] [--category CATEGORY] [--reference TEXT] ' +
    '[--wallet WALLETID] [--idempotency-key KEY] ' +
    KEY_GIVEN,
  summary: 'pay as the agent of BURSAR_AGENT_KEY; the same payment key (invoice or order number) is paid once',
  keyFrom: KEY_FROM,
  run: async ({ words: [amount, recipientAddress], text, has }, context) => {
    const [{ nodes }, apiKey] = [await connectionOf(context, false), await agentKey(context, has('key-stdin'))]
    const idempotencyKey = text('idempotency-key')
    const details = { purpose: text('purpose'), category: text('category'), walletId: text('wallet') }
    const keys = { paymentKey: text('payment-key'), reference: text('reference'), idempotencyKey }
    const request = { amount: amount!, recipientAddress: recipientAddress!, ...details, ...keys }
    const bursar = new Bursar({ baseUrl: nodes, apiKey })
    const paid = await bursar.payments.pay(request)
    const { requestId, status, paymentKey, attempt, amount: sum, currency } = paid
    const { transactionId, settlementMode, txHash } = paid
    const purchase = paymentKey === undefined ? {} : { 'payment key': paymentKey, attempt }
    const fields = { payment: requestId, ...purchase, status, amount: `${sum} ${currency}`, to: paid.recipientAddress }
    const settled = { transaction: transactionId, settlement: settlementMode, hash: txHash }
    return { json: paid, lines: (style) => record({ ...fields, ...settled }, style) }
  },
}

export const payCommands = { pay: showing(pay) }
