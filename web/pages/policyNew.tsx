// A new policy, from a template or empty. It is created inactive, so that its impact can be seen before it takes
// effect.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { Fields } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Page } from '../components/page.js'
import { When } from '../components/loadingStates.js'
import { words } from '../format/words.js'
import { useDraft } from '../edit.js'
import { useRead } from '../load.js'
import type { Policy } from '../records.js'
import { SCOPES } from '../policies/policy.js'
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
  const templates = useRead('GET /api/policy-templates', {})
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

const FIELDS = [
  { name: 'name', label: 'Name', required: true, autoFocus: true, maxLength: 100 },
  { name: 'description', label: 'Description', maxLength: 500, rows: 3 },
  {
    name: 'policyType',
    label: 'Type',
    hint: 'A label for searching; it does not restrict the rules, and cannot be changed later.',
    options: KINDS.map((kind) => [kind, words(kind)] as const),
  },
  { name: 'scope', label: 'Applies to', options: SCOPES },
] as const

function Describe({ template, onBack }: { template: Template; onBack: () => void }) {
  const { name, description, policyType, rules } = template
  const about = template.id === '' ? { name: '', description: '' } : { name, description }
  const { draft, set } = useDraft({ ...about, policyType: policyType as Kind, scope: 'assigned' as Policy['scope'] })
  const sending = useSending(async (once) => {
    const body = { ...draft, description: draft.description || null, isActive: false, rules }
    const { id } = await api.call('POST /api/policies', { body }, once)
    go(to('policies', id, 'rules'))
    return 'The policy was created, inactive'
  })
  const back = (
    <button type="button" onClick={onBack}>
      Back
    </button>
  )
  return (
    <div class="card narrow">
      <Form sending={sending} submit="Create policy" beside={back}>
        <Fields draft={draft} set={set} of={FIELDS} />
        <div>
          <h3>Initial rules</h3>
          <RuleSentences rules={rules} />
        </div>
      </Form>
    </div>
  )
}
