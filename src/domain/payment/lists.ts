// The names of the lists of all payments of an organization.
import { longListOf, sublist, type List } from '../values/lists.js'

/** By creation. `list` is that of a state: those of the payments that show alike. */
export function paymentsOf(organization: string, list?: string): List<'payment'> {
  return sublist(longListOf(`p/${organization}`), list)
}

/** By execution. */
export function transactionsOf(organization: string): List<'payment'> {
  return longListOf(`t/${organization}`)
}
