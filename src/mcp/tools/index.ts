// The tools, in the order in which a model sees them.
import type { Tool } from '../tool.js'
import { getLimits } from './limits.js'
import { cancelPaymentTool, executePaymentTool, paymentStatusTool, whyDenied } from './payment.js'
import { checkRecipient } from './recipient.js'
import { pay, requestPaymentTool } from './request.js'
import { payX402 } from './x402.js'

export const TOOLS: readonly Tool[] = [
  getLimits,
  requestPaymentTool,
  pay,
  paymentStatusTool,
  executePaymentTool,
  cancelPaymentTool,
  checkRecipient,
  whyDenied,
  payX402,
]
