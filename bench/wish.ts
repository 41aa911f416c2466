// The payment that is requested from the service, its limits and its rivals.
export const WISH = {
  amount: 0.01,
  recipientAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  recipientName: 'Compute Ltd',
  purpose: 'GPU hours',
  category: 'CLOUD',
}

export const REQUEST_PATH = '/api/sdk/payments/request'

/** The same payment to another recipient. */
export function wishTo(recipient: number): typeof WISH {
  return { ...WISH, recipientAddress: `0x${(recipient + 1).toString(16).padStart(39, '0')}b` }
}
