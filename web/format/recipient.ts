// A payment and whom it is to, in titles. Names that agents gave are left out, because they are claims.
import { money } from './money.js'
import { short } from './words.js'

interface Titled {
  amount: number
  currency: string
  recipientAddress: string | null
}

/** `150.00 USDC to 0x0000…00b5`. */
export function paymentTitle({ amount, currency, recipientAddress }: Titled): string {
  return `${money(amount, currency)} to ${recipientAddress === null ? 'a merchant by card' : short(recipientAddress)}`
}
