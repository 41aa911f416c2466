// The fair queue alone: what becomes of a slot that its flow no longer takes.
import test from 'ava'
import { FairQueue, type Flow, type Slots } from '../../src/webhooks/fairQueue.js'

const BOUNDS = {
  ofEndpoint: 1,
  ofEndpointAtRest: 1,
  ofOrganizationToOrigin: 1,
  toOrigin: 1,
  ofOrganization: 9,
  ofAll: 9,
}

test('a slot goes to the next flow if the one that waited for it was redirected', async (t) => {
  const queue = new FairQueue(BOUNDS, (error) => t.fail(String(error)))
  const begun: string[] = []
  const held = new Map<string, Slots>()
  const flowOf = (name: string): Flow => {
    let left = 1
    return queue.flow(name, 'busy', {
      hasNext: () => left > 0,
      begin: (slots) => {
        left -= 1
        begun.push(name)
        held.set(name, slots)
      },
    })
  }
  const [first, second, third] = ['first', 'second', 'third'].map(flowOf) as [Flow, Flow, Flow]
  const rested = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const flow of [first, second, third]) queue.offer(flow)
  await rested()
  t.deepEqual(begun, ['first'])
  queue.redirect(second, 'elsewhere')
  queue.ended(first, held.get('first')!, true)
  await rested()
  t.deepEqual(begun.toSorted(), ['first', 'second', 'third'])
})
