// The initial data of a rival.
import { randomBytes } from 'node:crypto'
import { newId } from '../../src/domain/values/ids.js'
import { PLENTY } from '../rules/written.js'
import { WISH } from '../wish.js'

export const BENCH_KEY = 'service_agent_of_the_bench'

/** One organization, its agent, and what limits them: five rules, limits in three windows, a balance. */
export const SCENE = {
  organization: newId(randomBytes),
  agent: newId(randomBytes),
  delegation: newId(randomBytes),
  wallet: newId(randomBytes),
  policy: newId(randomBytes),
  maxAmount: 1_000_000_000,
  categories: ['OTHER 1', 'DATA', WISH.category],
  blocked: [`0x${'1'.padStart(40, '0')}`, `0x${'2'.padStart(40, '0')}`],
  validFrom: Date.UTC(2020, 0, 1),
  validUntil: Date.UTC(2100, 0, 1),
  plenty: PLENTY * 1_000_000,
}
