// A dry run of an agent's request, for people who want to see what it may do: of the recipient it needs to know nothing.
import { agentTransactionsOf } from '../../../machines/payment/lists.js'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Result } from '../../domain/outcomes/result.js'
import { TEST_RECIPIENT, type ChosenBy } from '../../domain/payment/testRecipient.js'
import type { WalletTerms } from '../../domain/payment/terms.js'
import { parseAddress, type Address } from '../../domain/values/address.js'
import type { Micros } from '../../domain/values/money.js'
import { dryRun } from '../payments/dryRun.js'
import { reachableWallets } from '../payments/facts.js'
import type { Caller, Services } from '../ports.js'
import { find } from '../send.js'
import { paymentStatus } from '../status.js'

interface Wish {
  amount: Micros
  recipientAddress?: Address | undefined
}

export interface TestRecipient {
  address: Address
  name: string | null
  chosenBy: ChosenBy
}

/** Shows the payment as a request would leave it now. */
type ShowTest<Shown> = (payment: Actor<'payment'>, view: View, recipient: TestRecipient) => Shown

export async function testPayment<Shown>(
  services: Services,
  caller: Caller,
  agentId: string,
  { amount, recipientAddress }: Wish,
  show: ShowTest<Shown>,
): Promise<Result<Shown, 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'NO_WALLET'>> {
  const agent = await find(services, caller, 'agent', agentId)
  if (!agent.ok) return agent
  const recipient: TestRecipient = recipientAddress
    ? { address: recipientAddress, name: null, chosenBy: 'REQUEST' }
    : await likelyRecipient(services, agentId)
  const wanted = {
    amount,
    recipientAddress: recipient.address,
    recipientName: recipient.name ?? undefined,
    urgency: 'NORMAL' as const,
    autoExecute: false,
  }
  return dryRun(services, caller, agentId, wanted, (payment, view) => show(payment, view, recipient))
}

/** So many of the agent's latest transactions are looked at. */
const LATEST = 20

/** Whom the agent has paid last and can pay still, else the test address on the chain of its first wallet. */
async function likelyRecipient(services: Services, agentId: string): Promise<TestRecipient> {
  const list = agentTransactionsOf(agentId)
  const latest = (await services.query.page({ list, limit: LATEST, offset: 0 }))!.actors
  const wallets = reachableWallets(services, agentId, (ref) => services.host.peek(ref))
  const chainTypes = wallets.map(({ context }) => context.fields.chainType)
  const payable = (terms: Actor<'payment'>['context']['terms']): terms is WalletTerms =>
    terms!.recipientAddress !== null && chainTypes.includes(terms!.chainType!)
  const last = latest.find((payment) => paymentStatus(payment) === 'EXECUTED' && payable(payment.context.terms))
  if (last) {
    const { recipientAddress, recipientName } = last.context.terms as WalletTerms
    return { address: parseAddress(recipientAddress)!, name: recipientName, chosenBy: 'LAST_PAID' }
  }
  const { name, addresses } = TEST_RECIPIENT
  return { address: parseAddress(addresses[chainTypes[0] ?? 'EVM'])!, name, chosenBy: 'TEST_ADDRESS' }
}
