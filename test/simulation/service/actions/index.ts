// All that clients do, each with its share.
import type { Action } from '../stage.js'
import { alerts } from './alerts.js'
import { approvals } from './approvals.js'
import { cards } from './cards.js'
import { payments } from './payments.js'
import { people } from './people.js'
import { settings } from './settings.js'
import { trespasses } from './trespass.js'
import { x402 } from './x402.js'

export const ACTIONS: readonly Action[] = [
  ...payments,
  ...approvals,
  ...settings,
  ...people,
  ...cards,
  ...x402,
  ...alerts,
  ...trespasses,
]
