// A chart of days: stacked bars, drawn by uPlot, which is loaded when the first chart comes into view. The legend has the
// values of the day under the pointer, or of the one that the arrow keys have reached; a table has all of them.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { dayOfMonth } from '../format/time.js'
import type { Plot, PlotOptions } from './plot.js'
import { Table } from './table.js'

interface Props extends Pick<PlotOptions, 'days' | 'series' | 'tick'> {
  title: string
  /** Formats a value. */
  write: (value: number) => string
}

const HEIGHT = 220

export function Chart({ title, days, series, write, tick }: Props) {
  const { box, plot, at } = usePlot({ days, series, tick })
  const last = days.length - 1
  const values = (index: number): string => series.map((one) => `${one.label} ${write(one.values[index]!)}`).join(', ')
  return (
    <figure class="chart">
      <Legend series={series} write={write} at={at} day={at === undefined ? undefined : dayOfMonth(days[at]!)} />
      <div
        ref={box}
        class="plot"
        tabIndex={0}
        role="slider"
        aria-label={`${title}: a day with its values`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={`${dayOfMonth(days[at ?? last]!)}: ${values(at ?? last)}`}
        onKeyDown={(event) => {
          const next = moved(event.key, at, last)
          if (next === 'no') return
          event.preventDefault()
          plot.current?.mark(next)
        }}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && plot.current?.mark(last)}
        onBlur={() => plot.current?.mark(undefined)}
      />
      <Numbers title={title} days={days} series={series} write={write} />
    </figure>
  )
}

/** The day that a key leads to; undefined for none, `no` if the key leads nowhere. */
function moved(key: string, at: number | undefined, last: number): number | undefined | 'no' {
  if (key === 'ArrowLeft') return Math.max(0, (at ?? last + 1) - 1)
  if (key === 'ArrowRight') return Math.min(last, (at ?? last - 1) + 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return key === 'Escape' ? undefined : 'no'
}

/** Draws again when the look or the data has changed. */
function usePlot({ days, series, tick }: Pick<Props, 'days' | 'series' | 'tick'>) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const [at, setAt] = useState<number>()
  const look = useLook()
  const isInView = useInView(box)
  useEffect(() => {
    if (!isInView) return undefined
    let isShown = true
    void import('./plot.js').then(({ plot: draw }) => {
      if (isShown && box.current) plot.current = draw(box.current, { days, series, tick, height: HEIGHT, onDay: setAt })
    })
    return () => {
      isShown = false
      plot.current?.end()
      plot.current = undefined
      setAt(undefined)
    }
  }, [isInView, look, JSON.stringify([days, series])])
  return { box, plot, at: at !== undefined && at < days.length ? at : undefined }
}

/** Whether it has been in view. */
function useInView(of: RefObject<HTMLElement | null>): boolean {
  const [wasInView, setInView] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      setInView(true)
    })
    observer.observe(of.current!)
    return () => observer.disconnect()
  }, [])
  return wasInView
}

/** A number that changes with the theme. */
function useLook(): number {
  const [look, setLook] = useState(0)
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)')
    const again = (): void => setLook((before) => before + 1)
    addEventListener('themechange', again)
    media.addEventListener('change', again)
    return () => {
      removeEventListener('themechange', again)
      media.removeEventListener('change', again)
    }
  }, [])
  return look
}

interface LegendProps extends Pick<Props, 'series' | 'write'> {
  at: number | undefined
  day: string | undefined
}

function Legend({ series, write, at, day }: LegendProps) {
  return (
    <div class="legend">
      {day && <strong>{day}</strong>}
      {series.map(({ label, tone, values }) => (
        <span key={label}>
          <i class={`swatch ${tone}`} />
          {label}
          {at !== undefined && <strong> {write(values[at]!)}</strong>}
        </span>
      ))}
      {day === undefined && <span>Point at a day</span>}
    </div>
  )
}

function Numbers({ title, days, series, write }: Pick<Props, 'title' | 'days' | 'series' | 'write'>) {
  const rows = days.map((day, index) => ({ day, index }))
  const columns = [
    { head: 'Day', cell: ({ day }: (typeof rows)[number]) => dayOfMonth(day) },
    ...series.map(({ label, values }) => ({
      head: label,
      align: 'end' as const,
      cell: ({ index }: (typeof rows)[number]) => write(values[index]!),
    })),
  ]
  return (
    <details>
      <summary>Show as table</summary>
      <Table caption={title} columns={columns} rows={rows.toReversed()} keyOf={({ day }) => String(day)} />
    </details>
  )
}
