// A new policy, from a template or empty. It is created inactive, so that its impact can be seen before it takes
// effect.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { Field, Form, Select, TextArea, useSending } from '../components/form.js'
import { Page } from '../components/page.js'
import { When } from '../components/loadingStates.js'
import { words } from '../format/words.js'
import { useLoad } from '../load.js'
import type { Policy } from '../records.js'
import { RuleSentences } from '../policies/sentences.js'
import { go, to } from '../router.js'
import '../policies/policies.css'

type Template = Answer<'GET /api/policy-templates'>['templates'][number]
type Kind = Policy['policyType']

const KINDS: Kind[] = [
  'COMPOSITE',
  'SPEND_LIMIT',
  'BUDGET_ALLOCATION',
  'APPROVAL_THRESHOLD',
  'VELOCITY',
  'CATEGORY',
  'COUNTERPARTY',
  'WHITELIST',
  'CONTRACT_ALLOWLIST',
  'TIME_WINDOW',
  'BLACKOUT_PERIOD',
  'EXPIRATION',
]
const EMPTY: Template = {
  id: '',
  name: 'Empty',
  description: 'No rules: add your own.',
  policyType: 'COMPOSITE',
  rules: [],
}

export default function PolicyNew() {
  const templates = useLoad(() => api.call('GET /api/policy-templates', {}), [])
  const [chosen, setChosen] = useState<Template>()
  return (
    <Page
      title="New policy"
      back={{ href: to('policies'), label: 'Policies' }}
      lead={
        chosen
          ? 'It is created inactive. Review its rules and impact, then activate it.'
          : 'Choose a template. Every rule can be changed afterwards.'
      }
    >
      {chosen ? (
        <Describe template={chosen} onBack={() => setChosen(undefined)} />
      ) : (
        <When of={templates}>{({ templates: ready }) => <Choose from={[...ready, EMPTY]} onChoose={setChosen} />}</When>
      )}
    </Page>
  )
}

function Choose({ from, onChoose }: { from: Template[]; onChoose: (template: Template) => void }) {
  return (
    <ul class="cards">
      {from.map((template) => (
        <li key={template.id} class="card template">
          <h2>{template.name}</h2>
          <p class="hint">{template.description}</p>
          <RuleSentences rules={template.rules} />
          <div>
            <button type="button" onClick={() => onChoose(template)}>
              Use template<span class="visually-hidden">: {template.name}</span>
            </button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Describe({ template, onBack }: { template: Template; onBack: () => void }) {
  const isEmpty = template.id === ''
  const [name, setName] = useState(isEmpty ? '' : template.name)
  const [description, setDescription] = useState(isEmpty ? '' : template.description)
  const [policyType, setPolicyType] = useState<string>(template.policyType)
  const [scope, setScope] = useState('assigned')
  const sending = useSending(async (once) => {
    const { rules } = template
    const about = {
      name,
      description: description || null,
      policyType: policyType as Kind,
      scope: scope as Policy['scope'],
    }
    const { id } = await api.call('POST /api/policies', { body: { ...about, isActive: false, rules } }, once)
    go(to('policies', id, 'rules'))
    return 'The policy was created, inactive'
  })
  return (
    <div class="card narrow">
      <Form
        sending={sending}
        submit="Create policy"
        beside={
          <button type="button" onClick={onBack}>
            Back
          </button>
        }
      >
        <Field label="Name" path="name" required autoFocus maxLength={100} value={name} onValue={setName} />
        <TextArea label="Description" path="description" maxLength={500} value={description} onValue={setDescription} />
        <Select
          label="Type"
          path="policyType"
          value={policyType}
          onValue={setPolicyType}
          hint="A label for searching; it does not restrict the rules, and cannot be changed later."
          options={KINDS.map((kind) => [kind, words(kind)] as const)}
        />
        <Select
          label="Applies to"
          path="scope"
          value={scope}
          onValue={setScope}
          options={[
            ['assigned', 'Assigned agents and wallets'],
            ['organization', 'All agents of the organization'],
          ]}
        />
        <div>
          <h3>Initial rules</h3>
          <RuleSentences rules={template.rules} />
        </div>
      </Form>
    </div>
  )
}
