// A time line that can be stepped through by buttons, arrow keys or a choice of step; for the step that is shown it
// lists the message, the guard that passed, and what changed.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Value } from '../components/value.js'
import { utc } from '../format/time.js'
import { Changes } from './changes.js'
import type { Step } from './steps.js'

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
  return (
    <div class="time-line" role="group" aria-label="Time line" tabIndex={0} onKeyDown={onKeyDown}>
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
          <li key={step.key} class={step.command ? 'command' : ''}>
            <button
              type="button"
              tabIndex={-1}
              aria-current={index === place ? 'step' : undefined}
              onClick={() => onPlace(index)}
            >
              <span class="step-message">{step.message}</span>
              <span class="step-move">{step.from === step.to ? `stays ${step.to}` : `→ ${step.to}`}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

const BASES = {
  replayed: 'Taken again from the log, and the same came of it',
  inferred: 'Not replayed: the only choice that leads there',
  unknown: 'Not replayed: several choices could have led there',
  simulated: 'As the simulator ran it',
}

/** `beside` comes before the changes, which may be long. */
export function StepShown({ step, beside }: { step: Step; beside: ComponentChildren }) {
  const { at, message, from, to, guard, passedOver, choices, actions, asks, refusal, events, violations, command } =
    step
  return (
    <div class="told-step" data-step={step.key}>
      <h3>
        <code>{message}</code> {from === null ? 'made it' : from === to ? 'left it' : 'led it'}{' '}
        {from === to ? 'in' : 'to'} <code>{to}</code>
      </h3>
      <dl class="facts">
        <Row name="At">
          <time dateTime={at}>{utc(at)}</time>
        </Row>
        {command && (
          <Row name="By">
            {command.by}
            {command.sequence !== undefined && `, entry ${command.sequence} of the audit log`}
          </Row>
        )}
        <Row name="Guard">{guard === null ? 'none: always open' : <code>{guard}</code>}</Row>
        {passedOver.length > 0 && (
          <Row name="Did not hold">
            <Codes of={passedOver} />
          </Row>
        )}
        {choices.length > 0 && (
          <Row name="Choice">
            <Codes of={choices} />
          </Row>
        )}
        {actions.length > 0 && (
          <Row name="Actions">
            <Codes of={actions} />
          </Row>
        )}
        {asks && (
          <Row name="Then asks">
            <code>{asks.type}</code> of {asks.to}
          </Row>
        )}
        {refusal && (
          <Row name="Refused">
            <code>{refusal}</code>
          </Row>
        )}
        {violations.length > 0 && (
          <Row name="Violations">
            <Value of={violations} />
          </Row>
        )}
        {events.length > 0 && (
          <Row name="Told the world">
            <Codes of={events} />
          </Row>
        )}
        {command && <Row name="Known how">{BASES[command.basis]}</Row>}
      </dl>
      {beside}
      <h4>What changed</h4>
      <Changes of={step.changed} />
    </div>
  )
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Codes({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((one, place) => (
        <span key={one}>
          {place > 0 && ', '}
          <code>{one}</code>
        </span>
      ))}
    </>
  )
}
