// Short runs that once failed, with a mistake in the service or in the model: they are played for ever. What they were
// about is said of each.
import type { Name } from './simulations.js'

export interface Kept {
  about: string
  in: Name
  seed: number
  only: readonly number[]
}

export const KEPT: readonly Kept[] = []
