// Renders a laid-out chart as SVG. States and arrows carry their names, so that a page can highlight them. Colours are
// custom properties that a page can set; by default they follow the reader's light or dark mode.
import { FONT, type Box, type TextLine, type Picture, type EdgePath } from './layout.js'

const STYLE = `
  .chart{--ink:#1b1f24;--soft:#57606a;--line:#8c959f;--paper:#ffffff;--box:#f6f8fa;--accent:#0a5bd3;color:var(--ink)}
  @media (prefers-color-scheme:dark){.chart{--ink:#e6edf3;--soft:#9aa5b1;--line:#6e7781;--paper:#0d1117;--box:#161b22;--accent:#6cb0ff}}
  .chart text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:${FONT.small}px;fill:var(--ink)}
  .chart .name{font-size:${FONT.name}px;font-weight:600}
  .chart .fact{fill:var(--accent)}
  .chart .stays{fill:var(--soft)}
  .chart .paper{fill:var(--paper)}
  .chart .state rect{fill:var(--box);stroke:var(--line)}
  .chart .state.parent>rect{fill:none;stroke-dasharray:6 4}
  .chart .state line{stroke:var(--line);opacity:.5}
  .chart .arrow path{fill:none;stroke:var(--line);stroke-width:1.25}
  .chart .label{fill:var(--paper);opacity:.85}
  .chart .head{fill:var(--line)}
  .chart .dot{fill:var(--ink)}
`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!)

/** A self-contained SVG document. */
export function svgOf(picture: Picture): string {
  const { name, width, height, boxes, routes, dots } = picture
  // Painting order: parents before children, then arrows, then labels.
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` role="img" aria-label="Statechart of ${escaped(name)}"><style>${STYLE}</style>`,
    `<defs><marker id="head-${name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">`,
    `<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...boxes.map(boxText),
    ...routes.map((route) => arrowText(route, name)),
    ...routes.map(labelText),
    ...dots.map(
      ({ x, y, width: size }) => `<circle class="dot" cx="${x + size / 2}" cy="${y + size / 2}" r="${size / 2}"/>`,
    ),
    '</svg>\n',
  ].join('')
}

function boxText({ path, isParent, x, y, width, height, rule: at, lines }: Box): string {
  const rule = at === undefined ? '' : `<line x1="${at.x}" y1="${at.y}" x2="${at.x + at.width}" y2="${at.y}"/>`
  const rectangle = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`
  const name = path === '' ? '' : ` data-state="${path}"`
  return `<g class="state${isParent ? ' parent' : ''}"${name}>${rectangle}${rule}${lines.map(lineText).join('')}</g>`
}

function lineText({ text, title, x, y, width, kind }: TextLine): string {
  const hint = title === undefined ? '' : `<title>${escaped(title)}</title>`
  const name = kind === 'stays' ? ` data-choice="${title}"` : ''
  const fit = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`
  return `<text class="${kind}"${name} x="${x}" y="${y}" ${fit}>${hint}${escaped(text)}</text>`
}

function arrowText({ choices, from, to, points }: EdgePath, name: string): string {
  const path = points.map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const names = `data-from="${from}" data-to="${to}" data-choices="${choices.join(' ')}"`
  return `<g class="arrow" ${names}><path d="${path}" marker-end="url(#head-${name})"/></g>`
}

function labelText({ choices, label, lines }: EdgePath): string {
  if (label === undefined) return ''
  const { x, y, width, height } = label
  const paper = `<rect class="label" x="${x}" y="${y}" width="${width}" height="${height}" rx="3"/>`
  return `<g class="words" data-choices="${choices.join(' ')}">${paper}${lines.map(lineText).join('')}</g>`
}
