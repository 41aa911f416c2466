// The route that shows administrators the sanctions list in force. The list is replaced on the machine itself, by
// `bursar sanctions load`.
import * as v from 'valibot'
import { daysTooOld } from '../../../domain/parties/sanctions.js'
import { ok } from '../../server/respond.js'
import { recordSchema } from '../../input/schemas.js'
import { route } from '../../server/route.js'

const sanctionsSchema = recordSchema('Sanctions', {
  list: v.nullable(v.string()),
  source: v.nullable(v.string()),
  date: v.nullable(v.string()),
  count: v.number(),
  origin: v.picklist(['SHIPPED', 'LOADED']),
  warning: v.nullable(v.string()),
})

const UNREADABLE =
  'The list cannot be read: nothing is paid, and every payment that is asked for is denied, until one is loaded'

export const sanctionsRoutes = [
  route({
    operationId: 'getSanctions',
    method: 'GET',
    path: '/api/sanctions',
    access: { key: 'organization', scope: 'counterparties:read' },
    summary: 'The sanctions list in force',
    answers: { 200: sanctionsSchema },
    handler: async ({ services }) => {
      const { list, origin } = services.sanctions()
      if (!list) return ok({ list: null, source: null, date: null, count: 0, origin, warning: UNREADABLE })
      const { name, source, date, addresses } = list
      const days = daysTooOld(list, services.now())
      const warning = days === undefined ? null : `The list is ${days} days old: load a current one`
      return ok({ list: name, source, date, count: addresses.size, origin, warning })
    },
  }),
]
