// Turns by themselves: what a place does that nobody takes.
import test from 'ava'
import { Turns, type Lane, type Places } from '../../src/webhooks/turns.js'

const BOUNDS = { ofEndpoint: 1, ofOrganizationToOrigin: 1, toOrigin: 1, ofOrganization: 9, ofAll: 9 }

test('a place that somebody waited for who goes elsewhere by now is for the next one', async (t) => {
  const turns = new Turns(BOUNDS, (error) => t.fail(String(error)))
  const begun: string[] = []
  const held = new Map<string, Places>()
  const laneOf = (name: string): Lane => {
    let left = 1
    return turns.lane(name, 'busy', {
      hasNext: () => left > 0,
      begin: (places) => {
        left -= 1
        begun.push(name)
        held.set(name, places)
      },
    })
  }
  const [first, second, third] = ['first', 'second', 'third'].map(laneOf) as [Lane, Lane, Lane]
  const rested = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const lane of [first, second, third]) turns.offer(lane)
  await rested()
  t.deepEqual(begun, ['first'])
  turns.redirect(second, 'elsewhere')
  turns.ended(first, held.get('first')!, true)
  await rested()
  t.deepEqual(begun.toSorted(), ['first', 'second', 'third'])
})
