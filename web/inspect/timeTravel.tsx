// Time travel: the chart beside the time line, both at the step that is chosen.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../components/loadingStates.js'
import { AnyValue } from '../components/anyValue.js'
import { readable } from './changes.js'
import { Chart } from './chart.js'
import { recordAfter, type Step } from './steps.js'
import { StepShown, Timeline } from './timeline.js'

interface TravelProps {
  machine: string
  steps: Step[]
  /** Content beside the last step, which is the present. */
  beside: ComponentChildren
}

/** The chart beside the time line; while the last step is shown, the view follows new steps. */
export function TimeTravel({ machine, steps, beside }: TravelProps) {
  const last = steps.length - 1
  const [chosen, choose] = useState<number>()
  const place = Math.min(chosen ?? last, last)
  useEffect(() => choose(undefined), [machine])
  const step = steps[place]
  if (!step) return <Empty title="No steps">This actor has not changed yet.</Empty>
  return (
    <div class="travel">
      <div class="travel-chart">
        <Chart machine={machine} state={step.to} choices={step.choice === null ? [] : [step.choice]} />
      </div>
      <div class="travel-side">
        <Timeline steps={steps} place={place} onPlace={(next) => choose(next === last ? undefined : next)} />
        <StepShown step={step} beside={place === last && beside} />
        <details>
          <summary>Record after this step</summary>
          <AnyValue of={readable('', recordAfter(steps.slice(0, place + 1)))} />
        </details>
      </div>
    </div>
  )
}
