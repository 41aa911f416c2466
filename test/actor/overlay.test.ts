// What an attempt would change lies over what is committed, and goes back to any mark.
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import { Overlay } from '../../src/actor/overlay.js'

const actor = (revision: number): Actor<'toy'> => ({
  ref: 'toy/a',
  version: 1,
  revision,
  state: 'kept',
  context: { organization: 'o' },
})
const committed = actor(1)
const known = { owner: 'toy/a', organization: 'o' }
const other = { owner: 'toy/b', organization: 'o' }

const over = (): Overlay =>
  new Overlay({ actor: () => committed as never, keyOwner: (key) => (key === 'known' ? known : undefined) })

test('an actor is the committed one until it is put, and before stays the committed one', (t) => {
  const overlay = over()
  t.is(overlay.actor('toy/a'), committed)
  t.deepEqual(overlay.changed(), [])
  const after = actor(2)
  overlay.put(after)
  t.is(overlay.actor('toy/a'), after)
  t.is(overlay.before('toy/a'), committed)
  t.deepEqual(overlay.changed(), [{ before: committed, after }])
})

test('a key that is given up is free, though another one has it on disk', (t) => {
  const overlay = over()
  t.is(overlay.keyOwner('known'), known)
  overlay.putKey('known', undefined)
  t.is(overlay.keyOwner('known'), undefined)
  t.deepEqual([...overlay.keys], [['known', undefined]])
})

test('going back to a mark takes back actors, keys and events, the later ones first', (t) => {
  const overlay = over()
  overlay.put(actor(2))
  overlay.putKey('new', known)
  const mark = overlay.mark()
  overlay.put(actor(3))
  overlay.put(actor(4))
  overlay.putKey('new', other)
  overlay.putKey('new', undefined)
  overlay.putKey('known', other)
  overlay.events.push({ event: 'told', ref: 'toy/a', organization: 'o', at: 0 })
  overlay.backTo(mark)
  t.is(overlay.actor('toy/a')!.revision, 2)
  t.deepEqual([...overlay.keys], [['new', known]])
  t.is(overlay.events.length, 0)
  overlay.backTo({ undo: 0, events: 0 })
  t.deepEqual([overlay.changed(), [...overlay.keys]], [[], []])
})

test('two actors are changed by their own puts, an actor that was only read by none', (t) => {
  const overlay = new Overlay({ actor: () => undefined, keyOwner: () => undefined })
  overlay.actor('toy/read')
  overlay.put(actor(1))
  overlay.put({ ...actor(1), ref: 'toy/b' })
  t.deepEqual(
    overlay.changed().map(({ after }) => after.ref),
    ['toy/a', 'toy/b'],
  )
})
