// The command that makes a first payment, and the payment as soon as it exists.
import { useRead } from '../load.js'
import { to } from '../router.js'
import { useSignedIn } from '../session.js'
import { Badge } from './badge.js'
import { ButtonLink } from './button.js'
import { Money } from './amounts.js'
import { Command } from './secret.js'
import { Notice } from './loadingStates.js'

const EVERY_MS = 2000
/** A public address, to which nothing is sent in simulation. */
const EXAMPLE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

export function FirstPayment({ agent, apiKey }: { agent: { id: string; name: string }; apiKey: string }) {
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const body = {
    amount: '1.50',
    recipientAddress: isTest ? EXAMPLE : 'RECIPIENT',
    purpose: 'First payment',
    autoExecute: true,
  }
  const line = [
    `curl -s ${location.origin}/api/sdk/payments/request`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
  return (
    <>
      <h2>{agent.name} is ready</h2>
      <p>
        Run this command on any machine that can reach the service
        {isTest ? '' : ', with the recipient filled in: funds will move'}. The SDK does the same with{' '}
        <code>bursar/sdk</code>.
      </p>
      <Command text={line} what="command" />
      <Arrived agentId={agent.id} />
      <div class="form-actions">
        <ButtonLink href={to('agents', agent.id)} label={`View ${agent.name}`} />
      </div>
    </>
  )
}

function Arrived({ agentId }: { agentId: string }) {
  const payments = useRead('GET /api/payments', { query: { agentId, limit: 1 } }, { everyMs: EVERY_MS })
  const first = payments.data?.payments[0]
  return (
    <div role="status">
      {first === undefined ? (
        <Notice>Waiting for the first payment request…</Notice>
      ) : (
        <Notice tone="good">
          <Money amount={first.amount} currency={first.currency} /> requested: <Badge status={first.status} />{' '}
          <a href={to('payments', first.id)}>View decision</a>
        </Notice>
      )}
    </div>
  )
}
