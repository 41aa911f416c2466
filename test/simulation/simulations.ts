// The simulations: of the kernel, with messages that no client could send, of live settlement, and of the whole service.
import { simulateKernel } from './kernel/run.js'
import type { Options, Simulate } from './outcome.js'
import { simulateSettlement } from './settlement/run.js'
import { simulateService } from './service/run.js'

export type Name = 'kernel' | 'settlement' | 'service'

/** `optionsOf`: how a seed is run where nothing else is asked for. */
export const SIMULATIONS: Record<Name, { simulate: Simulate; optionsOf: (seed: number) => Options }> = {
  kernel: { simulate: simulateKernel, optionsOf: (seed) => ({ isShared: seed % 2 === 0 }) },
  settlement: { simulate: simulateSettlement, optionsOf: () => ({}) },
  service: { simulate: simulateService, optionsOf: () => ({}) },
}
