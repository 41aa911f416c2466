// The editor of a policy's rules, as forms or as JSON. The service checks every change while it is typed, and its
// impact is shown beside it before it is saved.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, isOvertaken } from '../api.js'
import { ButtonLink, ProblemText } from '../components/button.js'
import { Form, Problems, useSending, type Sending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Page } from '../components/page.js'
import { Notice, When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'
import { placed, useImpact, type Looked } from '../policies/draft.js'
import { ForceAnyway, ImpactLine, ImpactOf } from '../policies/impact.js'
import type { Policy } from '../records.js'
import { readPolicy } from '../policies/policy.js'
import { RuleForm } from '../policies/ruleForm.js'
import { newRule, type Rule } from '../policies/ruleTypes.js'
import { put, without } from '../policies/ruleValue.js'
import { RulesText } from '../policies/rulesText.js'
import { RuleSentences } from '../policies/sentences.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'
import '../policies/policies.css'

export default function PolicyRules({ params }: PageProps) {
  const policyId = params['id']!
  const policy = useLoad(() => readPolicy(policyId), [policyId])
  const name = policy.data?.name ?? 'Policy'
  return (
    <Page title={`Rules of ${name}`} back={{ href: to('policies', policyId), label: name }}>
      <When of={policy}>{(read) => <Editor key={read.version} policy={read} />}</When>
    </Page>
  )
}

/** The content of rules without their ids. */
const saysOf = (rules: readonly Rule[]): string =>
  JSON.stringify(rules.map(({ ruleType, operator, value, action }) => [ruleType, operator, value, action]))

/** The edit to replay: an inactive policy changes nothing before it is activated. */
const switchedOn = (rules: Rule[]) => ({ rules, isActive: true })

/** The errors that remain when rules are edited after they were refused. */
const besidesRules = (problems: Sending['problems']): Sending['problems'] =>
  Object.fromEntries(Object.entries(problems).filter(([path]) => !path.startsWith('rules')))

function Editor({ policy: opened }: { policy: Policy }) {
  // The version that the edit is based on, which is a newer one if somebody else has saved one meanwhile.
  const [policy, setPolicy] = useState(opened)
  const { id, version } = policy
  const [rules, setRules] = useState<Rule[]>(policy.rules)
  const [sent, setSent] = useState<Rule[]>()
  const [text, setText] = useState<string>()
  const [isRead, setIsRead] = useState(true)
  const [force, setForce] = useState(false)
  const [fields, setFields] = useState<string[]>([])
  const box = useRef<HTMLDivElement>(null)
  const isChanged = JSON.stringify(rules) !== JSON.stringify(policy.rules)
  const looked = useImpact(id, isChanged ? switchedOn(rules) : undefined)
  useEffect(() => {
    const found = [...(box.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
    setFields(found.map(({ dataset }) => dataset['path']!))
  }, [looked, text === undefined])
  const sending = useSending(async () => {
    setSent(rules)
    const query = { force: force || undefined }
    const parts = { path: { policyId: id }, body: { rules }, query }
    await api.call('PUT /api/policies/{policyId}/rules', parts, { ifMatch: version }).catch(async (error) => {
      if (!isOvertaken(error)) throw error
      const now = await readPolicy(id)
      // It was saved by a submission whose answer did not come.
      if (saysOf(now.rules) === saysOf(rules)) return
      setPolicy(now)
      throw error
    })
    go(to('policies', id))
    return 'The rules were saved as a new version'
  })
  const problems = placed(looked.problems, fields)
  const refused = sent === rules ? sending.problems : besidesRules(sending.problems)
  const mayWrite = useMay('MANAGER')
  const busy = sending.busy || !mayWrite || !isChanged || !isRead
  const readText = (found: Rule[] | undefined): void => {
    setIsRead(found !== undefined)
    if (found !== undefined) setRules(found)
  }
  const cancel = <ButtonLink href={to('policies', id)} label="Cancel" />
  return (
    <div class="edit">
      <div ref={box}>
        <Form sending={{ ...sending, problems: refused, busy }} submit="Save as new version" beside={cancel}>
          <Problems.Provider value={{ ...problems, ...refused }}>
            <Views
              isText={text !== undefined}
              isFit={isRead && !looked.busy && looked.problems.length === 0}
              onText={(on) => setText(on ? JSON.stringify(rules, null, 2) : undefined)}
            />
            {text === undefined ? (
              <RuleForms rules={rules} onRules={setRules} problem={problems['']} />
            ) : (
              <RulesText text={text} problems={looked.problems} onText={setText} onRules={readText} />
            )}
            {version !== opened.version && <Overtaken policy={policy} />}
            <ForceAnyway looked={looked} force={force} onForce={setForce} />
            <ImpactLine looked={looked} />
          </Problems.Provider>
        </Form>
      </div>
      <EditorSide policy={policy} looked={looked} isChanged={isChanged} />
    </div>
  )
}

function Overtaken({ policy: { version, rules } }: { policy: Policy }) {
  return (
    <Notice tone="warning">
      <strong>Version {version} was saved by someone else in the meantime.</strong> Your changes are kept here; saving
      them replaces the rules of that version:
      <RuleSentences rules={rules} />
    </Notice>
  )
}

interface EditorSideProps {
  policy: Policy
  looked: Looked
  isChanged: boolean
}

function EditorSide({ policy, looked, isChanged }: EditorSideProps) {
  return (
    <aside class="edit-side" aria-label="Impact">
      <div class="card">
        <h2>Impact</h2>
        {isChanged ? (
          <ImpactOf looked={looked} />
        ) : (
          <p class="hint">
            Change a rule to see which of the last 1,000 decisions would differ. Changes apply once they are saved.
          </p>
        )}
      </div>
      {!policy.isActive && <Notice>The policy is inactive: its rules apply once it is activated.</Notice>}
    </aside>
  )
}

interface ViewsProps {
  isText: boolean
  /** The text can be shown as forms. */
  isFit: boolean
  onText: (on: boolean) => void
}

function Views({ isText, isFit, onText }: ViewsProps) {
  return (
    <div class="choice" role="group" aria-label="View">
      <button type="button" aria-pressed={!isText} disabled={isText && !isFit} onClick={() => onText(false)}>
        Form
      </button>
      <button type="button" aria-pressed={isText} onClick={() => onText(true)}>
        JSON
      </button>
    </div>
  )
}

interface RuleFormsProps {
  rules: Rule[]
  onRules: (rules: Rule[]) => void
  /** An error of the rules that belongs to no particular field. */
  problem: string | undefined
}

function RuleForms({ rules, onRules, problem }: RuleFormsProps) {
  return (
    <>
      {rules.length === 0 && <p class="hint">No rules: the policy allows every payment.</p>}
      <ul class="stack">
        {rules.map((rule, at) => (
          <RuleForm
            key={rule.id ?? at}
            path={`rules.${at}`}
            rule={rule}
            onRule={(next) => onRules(put(rules, at, next))}
            onRemove={() => onRules(without(rules, at))}
          />
        ))}
      </ul>
      <ProblemText>{problem}</ProblemText>
      <div>
        <button type="button" onClick={() => onRules([...rules, newRule('MAX_AMOUNT')])}>
          <Icon name="plus" />
          Add rule
        </button>
      </div>
    </>
  )
}
