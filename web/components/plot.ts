// Draws stacked bars with uPlot. It reads colours from the style sheet when it draws, and sets styles through
// properties, which the content security policy permits.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const SECOND_MS = 1000
/** Margin that keeps the first and the last bar whole. */
const HALF_DAY_S = 43_200
/** Where uPlot puts a pointer that has left. */
const OUTSIDE = -10
const FONT = '11.5px system-ui, sans-serif'

export interface PlotOptions {
  /** The start of each day, epoch ms. */
  days: number[]
  series: Series[]
  /** Formats a value beside the axis; one without text has no line either. */
  tick: (value: number) => string
  height: number
  /** The day under the pointer, or the marked one, by its index. */
  onDay: (index: number | undefined) => void
}

export interface Plot {
  /** Marks a day, or none. */
  mark: (index: number | undefined) => void
  end: () => void
}

interface Series {
  label: string
  tone: 'good' | 'bad' | 'waiting' | 'plain'
  /** One value per day. */
  values: number[]
}

/** Draws into `box` and follows its width. */
export function plot(box: HTMLElement, { days, series, tick, height, onDay }: PlotOptions): Plot {
  const written: uPlot.Axis.Filter = (_, ticks) => ticks.map((one) => (tick(one) === '' ? null : one))
  const colour = (name: string): string => colourOf(box, name)
  const stacks = stacked(series.map(({ values }) => values))
  const axis = {
    stroke: colour('--text-soft'),
    font: FONT,
    grid: { stroke: colour('--line'), width: 1, filter: written },
    ticks: { show: false },
  }
  const seconds = days.map((day) => day / SECOND_MS)
  const bars = uPlot.paths.bars!({ size: [0.7, 28], radius: 0.12 })
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height,
      tzDate: (at) => uPlot.tzDate(new Date(at * SECOND_MS), 'UTC'),
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, move: ontoBar },
      hooks: { setCursor: [({ cursor: { idx } }) => onDay(idx ?? undefined)] },
      scales: {
        x: { range: (_, from, until) => [from - HALF_DAY_S, until + HALF_DAY_S] },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 28, values: '{D} {MMM}', space: 64 },
        { ...axis, size: 56, values: (_, ticks) => ticks.map(tick) },
      ],
      // The full height first; each following series covers what is below it.
      series: [
        {},
        ...series.map(({ label, tone }) => ({
          label,
          fill: colour(tone === 'plain' ? '--accent' : `--${tone}-fill`),
          width: 0,
          paths: bars,
          points: { show: false },
        })),
      ],
    },
    [seconds, ...stacks],
    box,
  )
  const watch = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height }))
  watch.observe(box)
  return {
    mark: (index) => {
      const left = index === undefined ? OUTSIDE : chart.valToPos(seconds[index]!, 'x')
      chart.setCursor({ left, top: left === OUTSIDE ? OUTSIDE : 0 })
    },
    end: () => {
      watch.disconnect()
      chart.destroy()
    },
  }
}

/** The line of the pointer stands in the middle of a bar. */
function ontoBar(chart: uPlot, left: number, top: number): [number, number] {
  return left < 0 ? [left, top] : [chart.valToPos(chart.data[0][chart.posToIdx(left)]!, 'x'), top]
}

/** The computed value of a custom property: its text may contain a light and a dark colour. */
function colourOf(box: HTMLElement, name: string): string {
  box.style.color = `var(${name})`
  const { color } = getComputedStyle(box)
  box.style.color = ''
  return color
}

/** Each series on top of those after it. */
function stacked(values: number[][]): number[][] {
  return values.map((own, index) => own.map((_, day) => values.slice(index).reduce((sum, one) => sum + one[day]!, 0)))
}
