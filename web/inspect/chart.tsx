// The statechart of a machine as the service drew it, with the actor's state and the transitions that led to it
// highlighted.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.js'
import { When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'

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
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    box.current?.replaceChildren(pictureOf(svg))
    setWhole(box.current !== null && isReadableWhole(box.current))
    isNew.current = true
  }, [svg])
  useEffect(() => {
    const picture = box.current?.querySelector('svg')
    if (picture) light(picture, { state, choices })
    if (box.current) show(box.current, state, isNew.current)
    isNew.current = false
  }, [svg, state, choices.join(' '), isWhole])
  return (
    <div class="chart-frame">
      <div class="chart-tools">
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Full size' : 'Fit width'}
        </button>
      </div>
      <div
        ref={box}
        class={`chart-box ${isWhole ? 'whole' : ''}`}
        tabIndex={0}
        role="region"
        aria-label={`Statechart of ${machine}${state === undefined ? '' : `, in ${state}`}`}
        data-lit={state}
      />
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

function isReadableWhole(box: HTMLElement): boolean {
  const width = Number(box.querySelector('svg')?.getAttribute('width'))
  return box.clientWidth / width >= SMALLEST
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
