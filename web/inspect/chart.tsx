// The statechart of a machine as the service drew it, with the actor's state and the transitions that led to it
// highlighted.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.js'
import { When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'
import { useZoom, type Zoom } from './zoom.js'

export interface Lit {
  /** Absent if there is no actor. */
  state?: string | undefined
  /** The transitions that were taken last. */
  choices?: readonly string[]
}

export function Chart({ machine, ...lit }: { machine: string } & Lit) {
  const drawn = useLoad(() => api.text('GET /api/machines/{machine}.svg', { path: { machine } }), [machine])
  return (
    <When of={drawn} rows={8}>
      {(svg) => <Drawn svg={svg} machine={machine} {...lit} />}
    </When>
  )
}

function Drawn({ svg, machine, state, choices = [] }: Lit & { svg: string; machine: string }) {
  const box = useRef<HTMLDivElement>(null)
  const isNew = useRef(true)
  const [drawn, setDrawn] = useState<Size>()
  useEffect(() => {
    box.current?.replaceChildren(pictureOf(svg))
    setDrawn(box.current ? sizeIn(box.current) : undefined)
    isNew.current = true
  }, [svg])
  const zoom = useZoom(box, drawn?.width, drawn?.first ?? 1)
  useLayoutEffect(() => {
    const picture = box.current?.querySelector('svg')
    picture?.setAttribute('width', String((drawn?.width ?? 0) * zoom.scale))
    picture?.setAttribute('height', String((drawn?.height ?? 0) * zoom.scale))
  }, [drawn, zoom.scale])
  useEffect(() => {
    if (drawn === undefined || !box.current) return
    light(box.current.querySelector('svg')!, { state, choices })
    show(box.current, state, isNew.current)
    isNew.current = false
  }, [drawn, state, choices.join(' ')])
  return (
    <div class="chart-frame">
      <Tools zoom={zoom} />
      <div
        ref={box}
        class="chart-box"
        tabIndex={0}
        role="region"
        aria-label={`Statechart of ${machine}${state === undefined ? '' : `, in ${state}`}`}
        data-lit={state}
        onKeyDown={zoom.onKeyDown}
      />
      <p class="hint">
        Drag to pan, or use the arrow keys in the chart. Zoom by a pinch, with <kbd>+</kbd> and <kbd>−</kbd>, or with{' '}
        <kbd>Ctrl</kbd> and the wheel. <kbd>0</kbd> fits the width, <kbd>1</kbd> is full size.
      </p>
    </div>
  )
}

function Tools({ zoom: { scale, by, fit, full } }: { zoom: Zoom }) {
  return (
    <div class="chart-tools" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom out" onClick={() => by(-1)}>
        −
      </button>
      <output aria-label="Zoom level">{Math.round(scale * 100)} %</output>
      <button type="button" aria-label="Zoom in" onClick={() => by(1)}>
        +
      </button>
      <button type="button" onClick={fit}>
        Fit width
      </button>
      <button type="button" onClick={full}>
        Full size
      </button>
    </div>
  )
}

/** The picture without its inline style, which the page may not have: the colours are in the page's style sheet. */
function pictureOf(svg: string): Element {
  const bare = svg.replace(/<style>.*?<\/style>/s, '')
  return document.importNode(new DOMParser().parseFromString(bare, 'image/svg+xml').documentElement, true)
}

const named = (picture: Element, name: string): Element[] => [...picture.querySelectorAll(`[data-${name}]`)]

function light(picture: Element, { state, choices = [] }: Lit): void {
  for (const one of named(picture, 'state')) {
    const path = one.getAttribute('data-state')!
    one.classList.toggle('lit', state === path)
    one.classList.toggle('within', state !== undefined && state.startsWith(`${path}.`))
  }
  for (const one of named(picture, 'choices')) {
    const names = one.getAttribute('data-choices')!.split(' ')
    one.classList.toggle(
      'lit',
      names.some((name) => name !== '' && choices.includes(name)),
    )
  }
  for (const one of named(picture, 'choice'))
    one.classList.toggle('lit', choices.includes(one.getAttribute('data-choice')!))
}

/** Below this scale its text cannot be read. */
const SMALLEST = 0.75

interface Size {
  width: number
  height: number
  /** The scale at first: to fit the width if its text can then be read. */
  first: number
}

function sizeIn(box: HTMLElement): Size {
  const [width, height] = ['width', 'height'].map((name) => Number(box.querySelector('svg')?.getAttribute(name)))
  const fitting = Math.min(1, box.clientWidth / width!)
  return { width: width!, height: height!, first: fitting >= SMALLEST ? fitting : 1 }
}

/** Scrolls to a state, or to the start; without animation if nothing was shown before. */
function show(box: HTMLElement, state: string | undefined, atOnce: boolean): void {
  const place = box.querySelector(state === undefined ? '.dot' : `[data-state="${CSS.escape(state)}"]`)
  if (!place) return
  const [inner, outer] = [place.getBoundingClientRect(), box.getBoundingClientRect()]
  box.scrollBy({
    left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
    top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    behavior: atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  })
}
