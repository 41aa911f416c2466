// bursar x402: lists the services that were paid by x402.
import type { X402Service } from '../../sdk/index.js'
import { asking } from './terminal/asking.js'
import { printedList } from './terminal/listed.js'
import type { Columns } from './terminal/show.js'

const COLUMNS: Columns<X402Service> = {
  HOST: ({ host }) => host,
  PAYMENTS: ({ payments }) => payments,
  TOTAL: ({ total }) => total,
  LAST: ({ lastAt }) => lastAt,
  'PAID TO': ({ payTo }) => payTo.join(' '),
}

export const x402Commands = {
  'x402 services': asking({
    usage: 'x402 services [--limit N]',
    summary: 'list the services that were paid by x402, with whom and how much',
    run: async (asking) => printedList(asking, asking.bursar.x402.services(), COLUMNS),
  }),
}
