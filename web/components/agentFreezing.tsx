// The automatic freeze of an agent: its thresholds, and why it is frozen.
import { api, type Body } from '../api.js'
import { useDraft } from '../edit.js'
import { useLoad } from '../load.js'
import type { Agent } from '../records.js'
import { useMay } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { EditForm } from './editForm.js'
import { Facts } from './facts.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { CLOSES, Form, useSending } from './form.js'
import { When } from './loadingStates.js'
import { readProposal, type Proposal, type Thresholds } from './thresholds.js'

type AutoFreeze = NonNullable<Agent['autoFreeze']>

const NAMES: readonly (readonly [name: keyof Thresholds, label: string, hint: string])[] = [
  ['consecutiveViolations', 'Denied payments in a row', 'An approved payment ends the run.'],
  ['consecutiveFailures', 'Failed payments in a row', 'An executed payment ends the run.'],
  [
    'hourlySpendFactor',
    "An hour's spending, times the usual",
    'The mean of the hours with spending, once there are 5.',
  ],
  ['paymentFactor', 'A payment, times the usual', 'The mean of executed payments, once there are 10.'],
  ['recipientsPerHour', 'Different recipients in an hour', 'Of payments that were let through.'],
]

interface Props {
  agent: Agent
  reload: () => void
}

export function AgentFreezing({ agent, reload }: Props) {
  const { name, autoFreeze, status } = agent
  const may = useMay('MANAGER') && status !== 'REVOKED'
  return (
    <div class="card">
      <h2>Automatic freeze</h2>
      {autoFreeze === null ? (
        <p>Off: unusual behaviour does not freeze this agent.</p>
      ) : (
        <Facts
          of={[
            ['Action', autoFreeze.action === 'FREEZE' ? 'freeze' : 'alert only'],
            ...NAMES.map(([threshold, label]) => [label, autoFreeze[threshold]] as const),
          ]}
        />
      )}
      {may && (
        <div class="actions">
          {autoFreeze === null ? (
            <Opening label="Turn on" about="automatic freeze" title={`Automatic freeze of ${name}`}>
              <TurnOn agent={agent} onDone={reload} />
            </Opening>
          ) : (
            <>
              <Opening label="Edit" about="automatic freeze" title={`Automatic freeze of ${name}`}>
                <EditThresholds agent={agent} onDone={reload} />
              </Opening>
              <TurnOff agent={agent} reload={reload} />
            </>
          )}
        </div>
      )}
    </div>
  )
}

function TurnOff({ agent: { id: agentId, name }, reload }: Props) {
  const body = { autoFreeze: null }
  return (
    <Confirm
      label="Turn off"
      about="automatic freeze"
      title={`Turn off the automatic freeze of ${name}?`}
      act={() => api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body })}
      after={reload}
      done="The automatic freeze is off"
    >
      Unusual behaviour no longer freezes the agent, and what was counted is forgotten.
    </Confirm>
  )
}

/** Texts; an empty one for a threshold that is not watched. */
type Draft = Record<keyof Thresholds | 'action', string>

const COUNT = { type: 'number', min: 1, max: 1000 } as const

const FIELDS: Rows<Draft> = [
  {
    name: 'action',
    label: 'When a threshold is met',
    path: 'autoFreeze.action',
    options: [
      ['FREEZE', 'Freeze the agent and raise an alert'],
      ['ALERT', 'Raise an alert only'],
    ],
  },
  ...NAMES.map(([name, label, hint]) => ({
    name,
    label,
    hint,
    path: `autoFreeze.${name}`,
    ...(name.endsWith('Factor') ? AMOUNT : COUNT),
  })),
]

function draftOf({ action = 'FREEZE', ...thresholds }: Partial<AutoFreeze>): Draft {
  const texts = NAMES.map(([name]) => [name, String(thresholds[name] ?? '')])
  return { ...(Object.fromEntries(texts) as Record<keyof Thresholds, string>), action }
}

/** The thresholds that have a number; the service watches no others. */
function bodyOf({ action, ...texts }: Draft): Body<'PATCH /api/agents/{agentId}'> {
  const watched = NAMES.flatMap(([name]) => (texts[name] === '' ? [] : [[name, Number(texts[name])] as const]))
  return { autoFreeze: { ...Object.fromEntries(watched), action: action as AutoFreeze['action'] } }
}

interface FormProps {
  agent: Agent
  onDone: () => void
}

function TurnOn({ agent, onDone }: FormProps) {
  const proposal = useLoad(() => readProposal(agent.id), [agent.id])
  return <When of={proposal}>{(data) => <TurnOnForm agent={agent} onDone={onDone} proposal={data} />}</When>
}

function TurnOnForm({ agent: { id: agentId }, onDone, proposal }: FormProps & { proposal: Proposal }) {
  const { draft, set } = useDraft(draftOf(proposal.thresholds))
  const sending = useSending(async () => {
    await api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body: bodyOf(draft) })
    onDone()
    return 'The automatic freeze is on'
  }, CLOSES)
  return (
    <Form sending={sending} submit="Turn on">
      <p class="hint">{proposal.about} Leave a threshold empty to ignore it.</p>
      <Fields draft={draft} set={set} of={FIELDS} />
    </Form>
  )
}

function EditThresholds({ agent, onDone }: FormProps) {
  const path = { agentId: agent.id }
  const thresholdsOf = ({ autoFreeze }: Agent): Draft => draftOf(autoFreeze ?? {})
  return (
    <EditForm
      record={agent}
      draftOf={thresholdsOf}
      read={() => api.call('GET /api/agents/{agentId}', { path })}
      write={(changed, now) =>
        api.call('PATCH /api/agents/{agentId}', { path, body: bodyOf({ ...thresholdsOf(now), ...changed }) })
      }
      after={onDone}
      done="The automatic freeze was saved"
      fields={FIELDS}
    />
  )
}
