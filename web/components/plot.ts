// Draws stacked bars with uPlot. It reads colours from the style sheet when it draws, and sets styles through
// properties, which the content security policy permits.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const SECOND_MS = 1000
/** Margin that keeps the first and the last bar whole. */
const HALF_DAY_S = 43_200
const FONT = '11.5px system-ui, sans-serif'

export interface PlotOptions {
  /** The start of each day, epoch ms. */
  days: number[]
  series: Series[]
  /** Formats a value. */
  write: (value: number) => string
  height: number
}

interface Series {
  label: string
  tone: 'good' | 'bad' | 'waiting' | 'plain'
  /** One value per day. */
  values: number[]
}

/** Draws into `box` and follows its width; returns a function that ends this. */
export function plot(box: HTMLElement, { days, series, write, height }: PlotOptions): () => void {
  const colour = (name: string): string => colourOf(box, name)
  const stacks = stacked(series.map(({ values }) => values))
  const axis = {
    stroke: colour('--text-soft'),
    font: FONT,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const bars = uPlot.paths.bars!({ size: [0.7, 28], radius: 0.12 })
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * SECOND_MS), 'UTC'),
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: (_, from, until) => [from - HALF_DAY_S, until + HALF_DAY_S] },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 28, values: '{D} {MMM}', space: 64 },
        { ...axis, size: 56, values: (_, ticks) => ticks.map(write) },
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
    [days.map((day) => day / SECOND_MS), ...stacks],
    box,
  )
  const watch = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height }))
  watch.observe(box)
  return () => {
    watch.disconnect()
    chart.destroy()
  }
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
