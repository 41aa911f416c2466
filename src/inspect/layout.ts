// Lays out a chart with ELK, which reserves room for every label: nested boxes for states, labelled arrows for
// transitions. It computes positions and draws nothing.
import type { ELK, ElkEdgeSection, ElkExtendedEdge, ElkLabel, ElkNode } from 'elkjs/lib/elk-api.js'
import { statesWithin, type State } from './outline.js'
import { arrowsOf, condition, stateLines, stays, staying, type Arrow } from './writing.js'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** A line of text in a monospaced font, which makes it measurable. */
export interface TextLine {
  text: string
  /** The tooltip: the whole choice. */
  title?: string
  x: number
  y: number
  width: number
  kind: 'name' | 'fact' | 'stays' | 'says'
}

export interface Box extends Rectangle {
  /** Empty for the chart itself. */
  path: string
  isParent: boolean
  /** The part of the box that its lines fill. */
  head: Rectangle
  /** The line below the name; absent in a box with only a name. */
  rule?: Omit<Rectangle, 'height'>
  lines: TextLine[]
}

export interface EdgePath {
  /** Names of the choices that the arrow combines; empty for the arrow to an initial state. */
  choices: string[]
  from: string
  to: string
  points: { x: number; y: number }[]
  /** The rectangle of the label; absent without one. */
  label?: Rectangle
  lines: TextLine[]
}

export interface Picture {
  name: string
  width: number
  height: number
  boxes: Box[]
  routes: EdgePath[]
  /** The dots that mark initial states. */
  dots: Rectangle[]
}

/** Widths are exact, because every line is drawn with its `textLength`. */
export const FONT = { name: 14, small: 11 } as const
const ADVANCE = 0.61
const LINE = { name: 22, small: 16 } as const
const PAD = 10
const DOT = 10

const widthOf = (text: string, size: number): number => Math.ceil([...text].length * size * ADVANCE)

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': '[top=24,left=24,bottom=24,right=24]',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '6',
  'elk.spacing.labelLabel': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
  'elk.edgeLabels.placement': 'CENTER',
  'elk.randomSeed': '1',
}

interface Text {
  text: string
  title?: string
  kind: TextLine['kind']
}

const sizeOf = (kind: TextLine['kind']): number => (kind === 'name' ? FONT.name : FONT.small)
const heightOf = (kind: TextLine['kind']): number => (kind === 'name' ? LINE.name : LINE.small)

function textsOf(state: State): Text[] {
  const name = state.path === '' ? 'in every state' : state.name
  return [
    { text: name, kind: 'name' },
    ...stateLines(state).map((text): Text => ({ text, kind: 'fact' })),
    ...stays(state).map((choice): Text => ({ text: staying(choice), title: choice.name, kind: 'stays' })),
  ]
}

function sizeOfTexts(texts: Text[]): { width: number; height: number } {
  return {
    width: Math.max(...texts.map(({ text, kind }) => widthOf(text, sizeOf(kind)))) + 2 * PAD,
    height: texts.reduce((sum, { kind }) => sum + heightOf(kind), 0) + PAD,
  }
}

const idOf = (path: string): string => `state ${path}`
const dotOf = (path: string): string => `begin ${path}`
const headOf = (path: string): string => `head ${path}`
const FIRST = { 'elk.layered.layering.layerConstraint': 'FIRST' }

function nodeOf(state: State): ElkNode {
  const { width, height } = sizeOfTexts(textsOf(state))
  if (state.children.length === 0) return { id: idOf(state.path), width, height }
  // The text is a node of its own, so that no arrow to a child crosses it.
  const head = { id: headOf(state.path), width, height, layoutOptions: FIRST }
  return {
    id: idOf(state.path),
    layoutOptions: { 'elk.padding': '[top=12,left=18,bottom=18,right=18]' },
    children: [head, ...beginning(state), ...state.children.map(nodeOf)],
  }
}

function beginning({ path, initial }: State): ElkNode[] {
  return initial === undefined ? [] : [{ id: dotOf(path), width: DOT, height: DOT }]
}

function edgeOf({ from, to, choices }: Arrow): ElkExtendedEdge {
  const texts = choices.map(condition)
  const width = Math.max(...texts.map((text) => widthOf(text, FONT.small))) + 8
  const label: ElkLabel = { text: texts.join('\n'), width, height: texts.length * LINE.small + 4 }
  return { id: `${from} to ${to}`, sources: [idOf(from)], targets: [idOf(to)], labels: [label] }
}

function beginningEdge({ path, initial }: State): ElkExtendedEdge[] {
  if (initial === undefined) return []
  return [{ id: `begin ${path}`, sources: [dotOf(path)], targets: [idOf(initial)] }]
}

export async function layOut(elk: ELK, name: string, root: State): Promise<Picture> {
  const states = statesWithin(root)
  const everywhere = root.choices.length === 0 ? [] : [nodeOf({ ...root, children: [] })]
  const arrows = states.flatMap(arrowsOf)
  const graph: ElkNode = await elk.layout({
    id: 'chart',
    layoutOptions: OPTIONS,
    children: [...beginning(root), ...root.children.map(nodeOf), ...everywhere],
    edges: [...states.flatMap(beginningEdge), ...arrows.map(edgeOf)],
  })
  const placed = new Map(nodesWithin(graph).map((node) => [node.id, rectangleOf(node)]))
  const edges = new Map((graph.edges ?? []).map((edge) => [edge.id, edge]))
  const drawn = everywhere.length === 0 ? states.slice(1) : [...states.slice(1), { ...root, children: [] }]
  return {
    name,
    width: Math.ceil(graph.width!),
    height: Math.ceil(graph.height!),
    boxes: drawn.map((state) => boxOf(state, placed)),
    routes: [
      ...states.filter(({ initial }) => initial !== undefined).map((state) => firstRoute(state, edges)),
      ...arrows.map((arrow) => routeOf(arrow, edges.get(`${arrow.from} to ${arrow.to}`)!)),
    ],
    dots: states.flatMap(({ path }) => placed.get(dotOf(path)) ?? []),
  }
}

function nodesWithin(node: ElkNode): ElkNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...nodesWithin(child)])
}

function rectangleOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rectangle>): Rectangle {
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

const round = (value: number): number => Math.round(value * 10) / 10

function boxOf(state: State, placed: Map<string, Rectangle>): Box {
  const texts = textsOf(state)
  const place = placed.get(idOf(state.path))!
  const head = placed.get(headOf(state.path)) ?? place
  const lines = linesAt(texts, head.x + PAD, head.y + PAD / 2)
  const rule =
    texts.length > 1 ? { rule: { x: head.x, y: round(head.y + PAD / 2 + LINE.name), width: head.width } } : {}
  return { ...place, path: state.path, isParent: state.children.length > 0, head, lines, ...rule }
}

function linesAt(texts: Text[], x: number, top: number): TextLine[] {
  let y = top
  return texts.map((text) => {
    y += heightOf(text.kind)
    return {
      ...text,
      x: round(x),
      y: round(y - heightOf(text.kind) * 0.3),
      width: widthOf(text.text, sizeOf(text.kind)),
    }
  })
}

function pointsOf({ sections = [] }: ElkExtendedEdge): EdgePath['points'] {
  return sections.flatMap(({ startPoint, bendPoints = [], endPoint }: ElkEdgeSection) =>
    [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x: round(x), y: round(y) })),
  )
}

function firstRoute({ path, initial }: State, edges: Map<string, ElkExtendedEdge>): EdgePath {
  return { choices: [], from: path, to: initial!, points: pointsOf(edges.get(`begin ${path}`)!), lines: [] }
}

function routeOf({ from, to, choices }: Arrow, edge: ElkExtendedEdge): EdgePath {
  const label = rectangleOf(edge.labels![0]!)
  const texts = choices.map((choice): Text => {
    return {
      text: condition(choice),
      title: `${choice.name} / ${choice.actions.join(', ') || 'nothing'}`,
      kind: 'says',
    }
  })
  return {
    choices: choices.map(({ name }) => name),
    from,
    to,
    points: pointsOf(edge),
    label,
    lines: linesAt(texts, label.x + 4, label.y + 2),
  }
}
