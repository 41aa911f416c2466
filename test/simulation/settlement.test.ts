// Live settlement holds whatever a chain, its nodes and a provider do.
import test from 'ava'
import { runs } from '../support/depth.js'
import { SIMULATIONS } from './simulations.js'

const SEEDS = runs(60)
const { simulate, optionsOf } = SIMULATIONS.settlement

test(`${SEEDS} seeds violate no invariant`, async (t) => {
  t.timeout(20 * 60_000)
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation } = await simulate(seed, optionsOf(seed))
    t.is(violation?.message, undefined, `npm run simulate -- settlement --seed ${seed}`)
  }
})
