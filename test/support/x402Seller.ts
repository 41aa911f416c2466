// A server that sells one report by x402, and takes every signature for a payment.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from './process.js'
import { challenge, NETWORK, offer, type WrittenOffer } from './x402.js'

export interface ReportSeller {
  url: string
  paid: number
}

const inHeader = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** At 0.5 USDC. */
export async function seller(
  t: Scope,
  { offered = {}, contentType = 'text/plain' }: { offered?: Partial<WrittenOffer>; contentType?: string } = {},
): Promise<ReportSeller> {
  const sold: ReportSeller = { url: '', paid: 0 }
  const server = createServer(({ headers }, response) => {
    if (headers['payment-signature'] === undefined) {
      return void response.writeHead(402, { 'PAYMENT-REQUIRED': inHeader(challenge(offer(0.5, offered))) }).end('{}')
    }
    sold.paid += 1
    const settled = inHeader({ success: true, transaction: '0x1', network: NETWORK })
    response.writeHead(200, { 'PAYMENT-RESPONSE': settled, 'Content-Type': contentType }).end('the report')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  sold.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`
  return sold
}
