// Examples of payments by x402.
import { RECIPIENT, type Examples } from './example.js'

export const X402: Examples = {
  'POST /api/sdk/x402/authorize': {
    body: {
      paymentRequired: {
        x402Version: 2,
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:84532',
            amount: '10000',
            asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            payTo: RECIPIENT,
            maxTimeoutSeconds: 60,
          },
        ],
      },
      resource: { url: 'https://api.example.com/report', method: 'GET' },
      maxAmount: 0.05,
      paymentKey: 'report-17',
    },
    sdk: 'bursar.x402.authorize(body)',
  },
  'POST /api/sdk/x402/{requestId}/settle': {
    body: { paymentResponse: { success: true, network: 'eip155:84532' }, httpStatus: 200 },
    sdk: 'bursar.x402.settle(requestId, body)',
  },
  'GET /api/sdk/x402/services': { sdk: 'bursar.x402.services()' },
  'GET /api/x402/services': { sdk: 'admin.x402.services()' },
}
