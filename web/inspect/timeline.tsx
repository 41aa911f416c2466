// A time line that can be stepped through by buttons, arrow keys or a choice of step; for the step that is shown it
// lists the message, the guard that held, a refusal with its reasons, and what changed.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Who } from '../components/amounts.js'
import { AnyValue } from '../components/anyValue.js'
import { Facts, type Fact } from '../components/facts.js'
import { utc } from '../format/time.js'
import { words } from '../format/words.js'
import { Changes } from './changes.js'
import { LEVELS, type Step } from './steps.js'

interface Props {
  steps: readonly Step[]
  /** The index of the step that is shown. */
  place: number
  onPlace: (place: number) => void
}

const MOVES: Record<string, (place: number, last: number) => number> = {
  ArrowLeft: (place) => place - 1,
  ArrowUp: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  ArrowDown: (place) => place + 1,
  Home: () => 0,
  End: (_, last) => last,
}

export function Timeline({ steps, place, onPlace }: Props) {
  const last = steps.length - 1
  const move = (to: number): void => onPlace(Math.min(last, Math.max(0, to)))
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const shown = list.current?.children[place] as HTMLElement | undefined
    if (shown && list.current) list.current.scrollTop = shown.offsetTop - list.current.clientHeight / 2
  }, [place, steps.length])
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = MOVES[event.key]
    if (!next) return
    event.preventDefault()
    move(next(place, last))
  }
  useStepKeys((key) => move(MOVES[key]!(place, last)))
  return (
    <div class="time-line" role="group" aria-label="Timeline" tabIndex={0} onKeyDown={onKeyDown}>
      <div class="time-line-tools">
        <button type="button" disabled={place <= 0} onClick={() => move(place - 1)}>
          Back
        </button>
        <output aria-live="polite">
          Step {place + 1} of {steps.length}
        </output>
        <button type="button" disabled={place >= last} onClick={() => move(place + 1)}>
          Forward
        </button>
      </div>
      <ol ref={list}>
        {steps.map((step, index) => (
          <li key={step.sequence}>
            <button
              type="button"
              tabIndex={-1}
              aria-current={index === place ? 'step' : undefined}
              onClick={() => onPlace(index)}
            >
              <span class="step-message">{step.message ?? step.action}</span>
              <span class="step-move">{step.from === step.to ? `stays ${step.to}` : `→ ${step.to}`}</span>
            </button>
          </li>
        ))}
      </ol>
      <p class="hint time-line-keys">
        <kbd>←</kbd> and <kbd>→</kbd> step through the history, <kbd>Home</kbd> and <kbd>End</kbd> go to its first and
        last step.
      </p>
    </div>
  )
}

const STEP_KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End']

/** Also where the focus is nowhere in particular; in the chart, arrow keys pan. */
function useStepKeys(step: (key: string) => void): void {
  const latest = useRef(step)
  latest.current = step
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.matches('body, main, h1')
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
      if (!isElsewhere || !isPlain || !STEP_KEYS.includes(event.key)) return
      event.preventDefault()
      latest.current(event.key)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** `beside` comes before the changes, which may be long. */
export function StepShown({ step, beside }: { step: Step; beside: ComponentChildren }) {
  const { at, message, from, to, sequence, by, holds } = step
  const { guard, passedOver, choice, actions, events, refusal } = step
  return (
    <div class="told-step" data-step={sequence}>
      <h3>
        <code>{message}</code> {from === null ? 'created' : from === to ? 'stayed' : 'moved'}{' '}
        {from === null || from === to ? 'in' : 'to'} <code>{to}</code>
      </h3>
      <Facts
        of={[
          ['At', <time dateTime={at}>{utc(at)}</time>],
          [
            'By',
            <>
              <Who by={by} />, entry {sequence} of the audit log
            </>,
          ],
          ['Guard', guard === null ? 'none' : <code>{guard}</code>],
          ['Guards not met', codes(passedOver)],
          ['Transition', choice !== null && codes([choice])],
          ['Actions', codes(actions)],
          ['Refusal', refusal !== null && codes([refusal])],
          ['Events', codes(events)],
          ...refusalFacts(step),
          ['Holds', holds !== null && LEVELS[holds]],
        ]}
      />
      {beside}
      <h4>Changes</h4>
      <Changes of={step.changed} />
    </div>
  )
}

/** Which gate refused, and why; the facts may have denied it without a gate. */
export const refusalFacts = ({ refusedBy, causes }: Pick<Step, 'refusedBy' | 'causes'>): Fact[] => [
  ['Refused by', refusedBy && words(refusedBy)],
  ['Reasons', causes.length > 0 && <AnyValue of={causes} />],
]

/** False leaves the fact out. */
const codes = (of: readonly string[]): ComponentChildren =>
  of.length > 0 &&
  of.map((one, place) => (
    <span key={one}>
      {place > 0 && ', '}
      <code>{one}</code>
    </span>
  ))
