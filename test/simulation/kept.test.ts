// What failed once fails no more.
import test from 'ava'
import { KEPT } from './kept.js'
import { SIMULATIONS } from './simulations.js'

for (const { about, in: name, seed, only } of KEPT) {
  test(about, async (t) => {
    const { simulate, optionsOf } = SIMULATIONS[name]
    const { violation } = await simulate(seed, { ...optionsOf(seed), only })
    t.is(violation?.message, undefined, `npm run simulate -- ${name} --seed ${seed} --only ${only.join(',')}`)
  })
}
