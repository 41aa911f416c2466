// The tools, in the order in which a model sees them.
import type { Tool } from '../tool.js'
import { getLimits } from './limits.js'
import { cancelPayment, executePayment, paymentStatus, whyDenied } from './payment.js'
import { checkRecipient } from './recipient.js'
import { pay, requestPayment } from './request.js'

export const TOOLS: readonly Tool[] = [
  getLimits,
  requestPayment,
  pay,
  paymentStatus,
  executePayment,
  cancelPayment,
  checkRecipient,
  whyDenied,
]
