// A chart of days: stacked bars. The legend has the values of the day under the pointer, or of the one that the arrow
// keys have reached; a table has all of them.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { dayOfMonth } from '../format/time.js'
import { BarChart, type Bars } from './bars.js'
import { Table } from './table.js'

interface Props extends Bars {
  title: string
  /** Formats a value. */
  write: (value: number) => string
}

export function Chart({ title, days, series, write, tick }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [marked, mark] = useState<number>()
  const last = days.length - 1
  const at = marked !== undefined && marked <= last ? marked : undefined
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
          mark(next)
        }}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && mark(last)}
        onBlur={() => mark(undefined)}
      >
        {width > 0 && <BarChart days={days} series={series} tick={tick} width={width} at={at} onDay={mark} />}
      </div>
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

/** In whole pixels; 0 until it is known. */
function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watch.observe(of.current!)
    return () => watch.disconnect()
  }, [])
  return width
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

/** Its rows are there while it is open: two charts of ninety days have seven hundred cells. */
function Numbers({ title, days, series, write }: Pick<Props, 'title' | 'days' | 'series' | 'write'>) {
  const [isOpen, setOpen] = useState(false)
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
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && <Table caption={title} columns={columns} rows={rows.toReversed()} keyOf={({ day }) => String(day)} />}
    </details>
  )
}
