// placeholder
import type { Services } from '../commands/ports.js'
import type { Route } from './route.js'
export function receiptRoutes(_services: Services): Route[] {
  return []
}
