// A chart of days: stacked bars, drawn by uPlot, which is loaded with the first chart. A table beside it has the same
// numbers, also for screen readers.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PlotOptions } from './plot.js'
import { Table } from './table.js'

interface Props extends Pick<PlotOptions, 'days' | 'series' | 'write'> {
  title: string
}

const HEIGHT = 220
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function Chart({ title, days, series, write }: Props) {
  const box = useRef<HTMLDivElement>(null)
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
  useEffect(() => {
    let end: (() => void) | undefined
    let isShown = true
    void import('./plot.js').then(({ plot }) => {
      if (isShown && box.current) end = plot(box.current, { days, series, write, height: HEIGHT })
    })
    return () => {
      isShown = false
      end?.()
    }
  }, [look, JSON.stringify([days, series])])
  const rows = days.map((day, index) => ({ day, index }))
  const columns = [
    { head: 'Day', cell: ({ day }: (typeof rows)[number]) => DAY.format(day) },
    ...series.map(({ label, values }) => ({
      head: label,
      align: 'end' as const,
      cell: ({ index }: (typeof rows)[number]) => write(values[index]!),
    })),
  ]
  return (
    <figure class="chart">
      <div class="legend">
        {series.map(({ label, tone }) => (
          <span key={label}>
            <i class={`swatch ${tone}`} />
            {label}
          </span>
        ))}
      </div>
      <div ref={box} class="plot" role="img" aria-label={`${title}. The numbers are in the table below.`} />
      <details>
        <summary>Show as table</summary>
        <Table caption={title} columns={columns} rows={rows.toReversed()} keyOf={({ day }) => String(day)} />
      </details>
    </figure>
  )
}
