// Stacked bars, one for each day, as SVG with the colours of the style sheet. Drawn here because a library for charts
// takes longer to start on a phone than the page that shows them.
import { useMemo } from 'preact/hooks'
import { dayOfMonth } from '../format/time.js'

export interface Bars {
  /** The start of each day, epoch ms. */
  days: number[]
  /** Each stands on those after it. */
  series: Series[]
  /** Formats a value beside the axis; one without text has no line either. */
  tick: (value: number) => string
}

interface Series {
  label: string
  tone: 'good' | 'bad' | 'waiting' | 'plain'
  /** One value per day. */
  values: number[]
}

interface Props extends Bars {
  /** Of the whole drawing, in pixels. */
  width: number
  /** The index of the marked day. */
  at: number | undefined
  onDay: (index: number | undefined) => void
}

const HEIGHT = 220
const TOP = 10
const BOTTOM = HEIGHT - 26
const CHARACTER = 6.4
const GAP = 8
const WIDEST_BAR = 28
const BAR_SHARE = 0.7
const ROUNDING = 0.12
const DAY_NAME_WIDTH = 64
const MOST_LINES = 4

interface Scale {
  /** Where the days begin, and how wide each is. */
  left: number
  slot: number
  xOf: (index: number) => number
  yOf: (value: number) => number
  /** The values that have a line, with their texts. */
  lines: (readonly [value: number, text: string])[]
}

function scaleOf({ days, tick }: Bars, sums: number[][], width: number): Scale {
  const most = Math.max(1, ...sums.flat()) * 1.08
  const step = stepOf(most)
  const lines = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => [at * step, tick(at * step)] as const)
  const longest = Math.max(...lines.map(([, text]) => text.length))
  const left = longest * CHARACTER + GAP
  const slot = (width - left) / days.length
  return {
    left,
    slot,
    xOf: (index) => left + (index + 0.5) * slot,
    yOf: (value) => BOTTOM - (value / most) * (BOTTOM - TOP),
    lines: lines.filter(([, text]) => text !== ''),
  }
}

/** One, two or five times a power of ten. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / MOST_LINES))
  return power * [1, 2, 5, 10].find((times) => most / (power * times) <= MOST_LINES)!
}

/** What each series reaches: its own values on those after it. */
function stacked(values: number[][]): number[][] {
  return values.map((own, index) => own.map((_, day) => values.slice(index).reduce((sum, one) => sum + one[day]!, 0)))
}

const short = (pixels: number): string => String(Math.round(pixels * 10) / 10)

/** All bars of a series; they reach down to the axis, and the next series covers what is below its own top. */
function pathOf(own: number[], sums: number[], { slot, xOf, yOf }: Scale): string {
  const wide = Math.min(WIDEST_BAR, slot * BAR_SHARE)
  const bars = sums.map((sum, index) => {
    if (own[index] === 0) return ''
    const [x, y] = [xOf(index) - wide / 2, yOf(sum)]
    const round = Math.min(wide * ROUNDING, BOTTOM - y)
    const [from, top, until] = [short(x), short(y + round), short(x + wide)]
    const across = `Q${from} ${short(y)} ${short(x + round)} ${short(y)}H${short(x + wide - round)}`
    return `M${from} ${BOTTOM}V${top}${across}Q${until} ${short(y)} ${until} ${top}V${BOTTOM}Z`
  })
  return bars.join('')
}

export function BarChart({ days, series, tick, width, at, onDay }: Props) {
  const about = JSON.stringify([days, series, width])
  const scale = useMemo(() => scaleOf({ days, series, tick }, sumsOf(series), width), [about])
  const drawn = useMemo(() => <Drawn days={days} series={series} scale={scale} width={width} />, [scale])
  const { left, slot, xOf } = scale
  const dayUnder = (event: MouseEvent & { currentTarget: Element }): number => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    return Math.min(days.length - 1, Math.max(0, Math.floor((x - left) / slot)))
  }
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      onMouseMove={(event) => onDay(dayUnder(event))}
      onMouseLeave={() => onDay(undefined)}
    >
      {drawn}
      {at !== undefined && <line class="plot-mark" x1={xOf(at)} x2={xOf(at)} y1={TOP} y2={BOTTOM} />}
    </svg>
  )
}

const sumsOf = (series: Series[]): number[][] => stacked(series.map(({ values }) => values))

function Drawn({ days, series, scale, width }: Pick<Props, 'days' | 'series' | 'width'> & { scale: Scale }) {
  const { left, slot, xOf, yOf, lines } = scale
  const sums = sumsOf(series)
  const every = Math.ceil(DAY_NAME_WIDTH / slot)
  const named = days.map((_, index) => index).filter((index) => (days.length - 1 - index) % every === 0)
  return (
    <>
      {lines.map(([value, text]) => (
        <g key={value}>
          <line class="plot-line" x1={left} x2={width} y1={yOf(value)} y2={yOf(value)} />
          <text x={left - GAP} y={yOf(value)} text-anchor="end" dominant-baseline="middle">
            {text}
          </text>
        </g>
      ))}
      {series.map(({ label, tone, values }, index) => (
        <path key={label} class={tone} d={pathOf(values, sums[index]!, scale)} />
      ))}
      {named.map((index) => (
        <text key={index} x={xOf(index)} y={HEIGHT - GAP} text-anchor="middle">
          {dayOfMonth(days[index]!)}
        </text>
      ))}
    </>
  )
}
