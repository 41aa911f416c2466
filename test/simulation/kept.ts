// Short runs that once failed, with a mistake in the service or in the model: they are played for ever. What they were
// about is said of each.
import type { Name } from './simulations.js'

export interface Kept {
  about: string
  in: Name
  seed: number
  only: readonly number[]
}

export const KEPT: readonly Kept[] = [
  { about: 'an agent cancels a payment that it may pay by itself', in: 'kernel', seed: 5, only: [130, 148, 221] },
  { about: 'somebody decides whom the workflow does not name', in: 'service', seed: 2, only: [39, 77, 82] },
]
