// The pictures of the charts: everything in a chart is drawn, nothing overlaps, and the built pictures match the
// charts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { charts, type Kind } from '../../machines/index.js'
import { drawAll } from '../../src/inspect/draw.js'
import type { Box, Picture, Rectangle } from '../../src/inspect/layout.js'
import { outlineOf, statesWithin, type State } from '../../src/inspect/outline.js'
import { svgOf } from '../../src/inspect/svg.js'
import { projectRoot } from '../support/root.js'

let pictures: Picture[]

test.before('all charts are laid out', async () => {
  pictures = await drawAll()
})

const statesOf = (name: string): State[] => statesWithin(outlineOf(charts[name as Kind].machine))

const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const holds = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

const isParentOf = (parent: Box, child: Box): boolean => parent.path !== '' && child.path.startsWith(`${parent.path}.`)

/** All pairs of different elements, each once. */
function pairs<One>(all: One[]): [One, One][] {
  return all.flatMap((one, place) => all.slice(place + 1).map((other): [One, One] => [one, other]))
}

test('every state and every choice of every chart is in its picture', (t) => {
  t.deepEqual(
    pictures.map(({ name }) => name),
    Object.keys(charts),
  )
  for (const { name, boxes, routes } of pictures) {
    const [root, ...states] = statesOf(name)
    const drawn = boxes.map(({ path }) => path).filter((path) => path !== '')
    t.deepEqual(drawn.sort(), states.map(({ path }) => path).sort(), name)
    const stays = boxes.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'stays').map(({ title }) => title!))
    const choices = [root!, ...states].flatMap((state) => state.choices.map((choice) => choice.name))
    t.deepEqual([...stays, ...routes.flatMap((route) => route.choices)].sort(), choices.sort(), name)
  }
})

test("a state's box lists its status, its holds, and what it tells, calls and wakes at", (t) => {
  const linesOf = (name: string, state: string): string[] =>
    pictures
      .find((one) => one.name === name)!
      .boxes.find(({ path }) => path === state)!
      .lines.map(({ text }) => text)
  for (const [name, state, ...lines] of BOXES) t.deepEqual(linesOf(name, state).slice(0, lines.length), lines, state)
})

const BOXES: [name: string, state: string, ...lines: string[]][] = [
  ['payment', 'created', 'created', 'no holds'],
  ['payment', 'approved', 'approved', 'status APPROVED', 'held at every gate', 'wakes at expiresAt'],
  ['payment', 'permitted', 'permitted', 'status APPROVED', 'held at every gate, capture permitted'],
  ['payment', 'transferring', 'transferring', 'status EXECUTING', 'captured at every gate'],
  ['payment', 'transferring.signing', 'signing', 'calls sign'],
  ['payment', 'transferred', 'transferred', 'status EXECUTED', 'captured at every gate', 'tells wallet RECONCILE'],
  ['payment', 'denied', 'denied', 'status DENIED', 'no holds'],
  ['agent', 'registered.paused', 'paused', 'status PAUSED'],
]

test('boxes do not overlap, except children inside their parents', (t) => {
  for (const { name, boxes } of pictures) {
    for (const [a, b] of pairs(boxes)) {
      const [parent, child] = isParentOf(a, b) ? [a, b] : [b, a]
      if (isParentOf(parent, child)) {
        t.true(holds(parent, child), `${name}: ${child.path} in ${parent.path}`)
        t.false(overlaps(parent.head, child), `${name}: ${child.path} on the words of ${parent.path}`)
      } else t.false(overlaps(a, b), `${name}: ${a.path} and ${b.path}`)
    }
  }
})

test('labels stay inside the picture and overlap no other box or label', (t) => {
  for (const { name, width, height, boxes, routes } of pictures) {
    const paper = { x: 0, y: 0, width, height }
    const labels = routes.flatMap(({ label }) => (label === undefined ? [] : [label]))
    for (const label of labels) {
      t.true(holds(paper, label), name)
      const bodies = boxes.map((box) => (box.isParent ? box.head : box))
      for (const body of bodies) t.false(overlaps(body, label), `${name}: a label on a box`)
    }
    for (const [a, b] of pairs(labels)) t.false(overlaps(a, b), `${name}: two labels`)
    for (const { head, lines } of boxes) {
      for (const { x, y, width: length, text } of lines) {
        t.true(holds(head, { x, y: y - 8, width: length, height: 8 }), `${name}: ${text} leaves its box`)
      }
    }
    for (const { x, y } of routes.flatMap(({ points }) => points))
      t.true(holds(paper, { x, y, width: 0, height: 0 }), name)
  }
})

test('no arrow crosses a box or a label', (t) => {
  for (const { name, boxes, routes } of pictures) {
    const bodies = boxes.map((box) => (box.isParent ? box.head : box)).map(inner)
    const labels = routes.flatMap(({ label }) => (label ? [inner(label)] : []))
    for (const { from, to, points } of routes) {
      for (const [place, end] of points.slice(1).entries()) {
        const line = spanned(points[place]!, end)
        t.false(
          [...bodies, ...labels].some((one) => overlaps(one, line)),
          `${name}: from ${from} to ${to}`,
        )
      }
    }
  }
})

/** Excludes the border, where arrows end. */
function inner({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + 1, y: y + 1, width: width - 2, height: height - 2 }
}

/** The rectangle of a line, which is vertical or horizontal. */
function spanned(a: { x: number; y: number }, b: { x: number; y: number }): Rectangle {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }
}

test('the built pictures match the charts', (t) => {
  for (const picture of pictures) {
    const built = readFileSync(join(projectRoot, 'dist', 'charts', `${picture.name}.svg`), 'utf8')
    t.is(built, svgOf(picture), picture.name)
    t.false(/#[0-9a-f]{3,6}/i.test(built.replace(/<style>.*<\/style>/s, '')), 'colours stand in the style alone')
  }
})
