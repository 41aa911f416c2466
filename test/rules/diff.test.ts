// The difference of two versions lists exactly the fields and rules that differ.
import test from 'ava'
import fc from 'fast-check'
import { diffFields, diffRules } from '../../rules/diff.js'
import { contentHash, contentOf } from '../../rules/hash.js'
import '../support/depth.js'
import { ruleInput } from './arbitraries.js'
import { kept } from './policies.js'

const lists = fc.array(ruleInput.map(kept), { maxLength: 8 })
const cap = (value: number, id = ''): ReturnType<typeof kept> & { id: string } => ({
  id,
  ...kept({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value }),
})

test('reordering is no change, whatever the ids', (t) => {
  const shuffled = lists.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(
    fc.property(shuffled, ([from, to]) => {
      t.deepEqual(diffRules(from, to), { rulesAdded: [], rulesRemoved: [] })
    }),
  )
  t.deepEqual(diffRules([cap(1, 'a'), cap(2, 'b')], [cap(2, 'c'), cap(1, 'd')]), { rulesAdded: [], rulesRemoved: [] })
})

test('an edited rule is one removed and one added', (t) => {
  const [kept1, before, after] = [cap(1, 'a'), cap(2, 'b'), cap(3, 'b')]
  t.deepEqual(diffRules([kept1, before], [after, kept1]), { rulesAdded: [after], rulesRemoved: [before] })
})

test('a repeated rule counts as often as it occurs', (t) => {
  const [one, other] = [cap(1), cap(2)]
  t.deepEqual(diffRules([one, one, one], [one]), { rulesAdded: [], rulesRemoved: [one, one] })
  t.deepEqual(diffRules([one], [one, other, one]), { rulesAdded: [other, one], rulesRemoved: [] })
})

test('applying the difference to one version gives the other', (t) => {
  fc.assert(
    fc.property(lists, lists, (from, to) => {
      const { rulesAdded, rulesRemoved } = diffRules(from, to)
      const removed = rulesRemoved.map(contentOf)
      const rest = from.filter((rule) => {
        const at = removed.indexOf(contentOf(rule))
        if (at >= 0) removed.splice(at, 1)
        return at < 0
      })
      t.is(contentHash([...rest, ...rulesAdded]), contentHash(to))
      t.is(rulesAdded.length === 0 && rulesRemoved.length === 0, contentHash(from) === contentHash(to))
      const both = new Set(rulesAdded.map(contentOf))
      t.false(rulesRemoved.some((rule) => both.has(contentOf(rule))))
    }),
  )
})

test('fields are compared one by one', (t) => {
  const from = {
    name: 'A',
    description: null,
    policyType: 'CATEGORY',
    scope: 'assigned',
    priority: 50,
    isActive: true,
  }
  t.deepEqual(diffFields(from, { ...from }), [])
  const to = { ...from, name: 'B', description: 'New', scope: 'organization', priority: 0, isActive: false }
  t.deepEqual(diffFields(from, to), [
    { field: 'name', from: 'A', to: 'B' },
    { field: 'description', from: null, to: 'New' },
    { field: 'scope', from: 'assigned', to: 'organization' },
    { field: 'priority', from: 50, to: 0 },
    { field: 'isActive', from: true, to: false },
  ])
})
