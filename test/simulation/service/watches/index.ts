// All watches of a run.
import type { SimulatedCourier } from '../courier.js'
import type { Watch, World } from '../world.js'
import { Access } from './access.js'
import { Alerts } from './alerts.js'
import { Answers } from './answers.js'
import { Approvers } from './approvers.js'
import { Deliveries } from './deliveries.js'
import { Executions } from './executions.js'
import { Governed } from './governed.js'
import { Log } from './log.js'
import { Money } from './money.js'
import { Purchases } from './purchases.js'
import { Repeats } from './repeats.js'
import { Settings } from './settings.js'

export function watchesOf(world: World, courier: SimulatedCourier): Watch[] {
  const executions = new Executions(world)
  return [
    new Answers(world),
    new Access(world),
    new Repeats(),
    new Governed(),
    new Approvers(world),
    executions,
    new Purchases(world),
    new Money(world, executions),
    new Log(world),
    new Deliveries(world, courier),
    new Alerts(world),
    new Settings(world),
  ]
}
