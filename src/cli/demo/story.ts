// The chapters of the demo: a payment approved, executed once, another denied with reasons, the service killed and
// restarted, and nothing lost.
import { DemoAgent } from './demoAgent.js'
import type { Money } from './money.js'
import type { DemoFailure, Payment } from './records.js'
import type { Screen } from './screen.js'
import type { Stage } from './stage.js'
import { expectEqual, expectStatus } from './expect.js'

/** Runs all chapters; throws UnexpectedResult at the first unexpected result. */
export async function tellStory(stage: Stage, money: Money, screen: Screen): Promise<void> {
  screen.title('Bursar: what an agent may spend, decided and explained')
  screen.fact('service', `${stage.url}, in a temporary folder`)
  screen.chapter('An agent gets a wallet, limits and a key')
  const agent = await DemoAgent.setUp(stage, money, screen)
  screen.chapter('The agent requests 80 USDC, and pays')
  const first = await payOnce(agent, money, screen)
  screen.chapter('The agent requests more than its limit')
  const denied = await askTooMuch(agent, screen)
  screen.chapter('An approved payment is reserved')
  const waiting = await reserve(agent, screen)
  screen.chapter('The service is killed and started again')
  await surviveKill(stage, agent, screen, [first, denied, waiting])
  screen.chapter('A payment approved before the kill is executed after it')
  await finish(agent, money, screen, first, waiting)
}

async function payOnce(agent: DemoAgent, money: Money, screen: Screen): Promise<Payment> {
  const payment = await approved(agent, 80, 'GPU hours')
  screen.fact('request 80', 'reserved, not spent', payment.status)
  screen.fact('execute', 'spent', await execute(agent, payment))
  await money.follow(agent, payment, screen)
  screen.fact('execute', 'the same payment a second time', await refusal(agent, payment))
  return payment
}

async function approved(agent: DemoAgent, amount: number, purpose: string): Promise<Payment> {
  const payment = await agent.request(amount, purpose)
  expectEqual(`the request for ${amount}`, payment.status, 'APPROVED')
  return payment
}

async function execute({ agent }: DemoAgent, { requestId }: Payment): Promise<string> {
  const answer = await agent.post<Payment>(`/api/sdk/payments/${requestId}/execute`)
  const { status } = expectStatus('the execution', answer, 200)
  expectEqual('the execution', status, 'EXECUTED')
  return status
}

/** Tries to execute an executed payment; resolves to the refusal's HTTP status and code. */
async function refusal({ agent }: DemoAgent, { requestId }: Payment): Promise<string> {
  const answer = await agent.post<DemoFailure>(`/api/sdk/payments/${requestId}/execute`)
  const { code } = expectStatus('the second execution', answer, 409)
  expectEqual('the second execution', code, 'ALREADY_EXECUTED')
  return `${answer.status} ${code}`
}

async function askTooMuch(agent: DemoAgent, screen: Screen): Promise<Payment> {
  const payment = await agent.request(120, 'a larger machine')
  denied(screen, payment, { type: 'PER_TX_LIMIT', limit: 100, current: 120 })
  return payment
}

interface Cause {
  type: string
  limit: number
  current: number
}

function denied(screen: Screen, payment: Payment, { type, limit, current }: Cause): void {
  const { status, amount, reasons, violations = [], hint } = payment
  expectEqual(`the request for ${amount}`, status, 'DENIED')
  const found = violations.map((violation) => [violation.type, violation.limit, violation.current])
  expectEqual('the violations', found, [[type, limit, current]])
  expectEqual('the number of reasons', reasons.length, 1)
  expectEqual('that there is a hint', hint !== undefined, true)
  screen.fact(`request ${amount}`, `${type}: limit ${limit}, current ${current}`, status)
  screen.fact('reason', reasons[0]!)
  screen.fact('hint', hint!)
}

async function reserve(agent: DemoAgent, screen: Screen): Promise<Payment> {
  const payment = await approved(agent, 90, 'a data set')
  screen.fact('request 90', 'waits to be executed', payment.status)
  denied(screen, await agent.request(100, 'a second data set'), { type: 'DAILY_LIMIT', limit: 250, current: 170 })
  screen.fact('delegation', sums(await agent.delegation()))
  return payment
}

function sums({ spent, reserved, remaining }: Awaited<ReturnType<DemoAgent['delegation']>>): string {
  return `spent ${spent.day}, reserved ${reserved}, ${remaining.day} left today`
}

async function surviveKill(stage: Stage, agent: DemoAgent, screen: Screen, payments: Payment[]): Promise<void> {
  const look = async () => ({
    payments: await Promise.all(payments.map((payment) => agent.status(payment))),
    delegation: await agent.delegation(),
    balance: await agent.balance(),
  })
  const before = await look()
  screen.fact('kill -9', `process ${await stage.kill()}`, 'killed')
  await stage.restart()
  screen.fact('service', stage.url, 'restarted')
  const after = await look()
  expectEqual('what the service knows after the kill', after, before)
  for (const { amount, status } of after.payments) screen.fact(`payment ${amount}`, 'as before', status)
  screen.fact('delegation', `${sums(after.delegation)}, as before`)
}

async function finish(agent: DemoAgent, money: Money, screen: Screen, first: Payment, waiting: Payment): Promise<void> {
  screen.fact(`execute ${waiting.amount}`, 'approved before the kill', await execute(agent, waiting))
  await money.follow(agent, waiting, screen)
  screen.fact(`execute ${first.amount}`, 'executed before the kill', await refusal(agent, first))
  const { spent, reserved } = await agent.delegation()
  expectEqual('what is spent', [spent.day, reserved], [170, 0])
  const balance = await agent.balance()
  expectEqual('the balance', balance, 830)
  screen.fact('wallet', `${balance} of 1000 USDC left: each payment counted once`)
}
