// One rule as a form: its action, its type and its value; for a composite its conditions, each as a form of the same
// kind.
import { IconButton } from '../components/button.js'
import { Problem, Select } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { AnyValue } from '../components/anyValue.js'
import { words } from '../format/words.js'
import { RuleFields } from './ruleFields.js'
import { RuleList } from './sentences.js'
import { put, without } from './ruleValue.js'
import {
  ACTIONS,
  newCondition,
  newRule,
  RULE_TYPES,
  typesWithin,
  typeOf,
  type Action,
  type Condition,
  type Rule,
} from './ruleTypes.js'

const CHOICES = Object.entries(RULE_TYPES).map(([name, { label }]) => [name, label] as const)

interface RuleFormProps {
  /** Such as `rules.0`. */
  path: string
  rule: Rule
  onRule: (rule: Rule) => void
  onRemove: () => void
}

export function RuleForm({ path, rule, onRule, onRemove }: RuleFormProps) {
  const { id, ruleType, action } = rule
  const type = typeOf(ruleType)
  const turn = (next: string): void => onRule({ ...newRule(next), ...(id !== undefined && { id }) })
  const actions = type?.actions ?? [action as Action]
  return (
    <li class="card rule-form" data-path={path}>
      <div class="removable">
        <div class="fields">
          <Select
            label="Rule"
            path={`${path}.ruleType`}
            value={ruleType}
            onValue={turn}
            options={type ? CHOICES : [[ruleType, words(ruleType)], ...CHOICES]}
          />
          <Select
            label="Action"
            path={`${path}.action`}
            value={action}
            onValue={(next) => onRule({ ...rule, action: next })}
            options={actions.map((one) => [one, ACTIONS[one] ?? words(one)] as const)}
          />
          <OperatorSelect path={path} of={rule} onOperator={(operator) => onRule({ ...rule, operator })} />
        </div>
        <IconButton icon="close" says="Remove this rule" act={onRemove} />
      </div>
      <ConditionValue
        path={path}
        of={rule}
        action={action}
        within={[]}
        onCondition={({ operator, value }) => onRule({ ...rule, operator, value })}
      />
      <Problem path={path} />
      <RuleList lines={[{ rule }]} label="This rule in words" />
    </li>
  )
}

/** Shown only if there is a choice. */
function OperatorSelect({
  path,
  of,
  onOperator,
}: {
  path: string
  of: Condition
  onOperator: (operator: string) => void
}) {
  const operators = typeOf(of.ruleType)?.operators ?? []
  if (operators.length < 2) return null
  return (
    <Select
      label="Operator"
      path={`${path}.operator`}
      value={of.operator ?? ''}
      onValue={onOperator}
      options={operators}
    />
  )
}

interface ConditionProps {
  path: string
  of: Condition
  action: string
  /** The types of the composites around it. */
  within: readonly string[]
  onCondition: (condition: Condition) => void
}

function ConditionValue({ path, of, action, within, onCondition }: ConditionProps) {
  const type = typeOf(of.ruleType)
  if (type === undefined)
    return (
      <p class="hint">
        There is no form for this rule type: <AnyValue of={of.value} />. Edit it as JSON.
      </p>
    )
  if (type.fields === 'conditions') {
    const conditions = Array.isArray(of.value) ? (of.value as Condition[]) : []
    return (
      <Conditions
        path={`${path}.value`}
        of={conditions}
        action={action}
        within={[...within, of.ruleType]}
        onConditions={(value) => onCondition({ ...of, operator: null, value })}
      />
    )
  }
  // A single status is treated as a list of one here, which requires another operator.
  const operator = type.fields === 'statuses' ? 'IN_LIST' : of.operator
  return (
    <RuleFields
      fields={type.fields}
      path={`${path}.value`}
      label={type.label}
      value={of.value}
      onValue={(value) => onCondition({ ...of, operator, value })}
    />
  )
}

interface ConditionsProps extends Pick<ConditionProps, 'path' | 'action' | 'within'> {
  of: Condition[]
  onConditions: (conditions: Condition[]) => void
}

function Conditions({ path, of, action, within, onConditions }: ConditionsProps) {
  const choices = typesWithin(within, action).map((name) => [name, RULE_TYPES[name]!.label] as const)
  const change = (at: number, condition: Condition): void => onConditions(put(of, at, condition))
  return (
    <div class="conditions" data-path={path}>
      {of.map((condition, at) => (
        <div class="removable" key={at}>
          <div class="stack">
            <div class="fields">
              <Select
                label="Condition"
                path={`${path}.${at}.ruleType`}
                value={condition.ruleType}
                options={choices}
                onValue={(ruleType) => change(at, newCondition(ruleType))}
              />
              <OperatorSelect
                path={`${path}.${at}`}
                of={condition}
                onOperator={(operator) => change(at, { ...condition, operator })}
              />
            </div>
            <ConditionValue
              path={`${path}.${at}`}
              of={condition}
              action={action}
              within={within}
              onCondition={(next) => change(at, next)}
            />
          </div>
          <IconButton icon="close" says={`Remove condition ${at + 1}`} act={() => onConditions(without(of, at))} />
        </div>
      ))}
      <div>
        <button type="button" onClick={() => onConditions([...of, newCondition(choices[0]![0])])}>
          <Icon name="plus" />
          Add a condition
        </button>
      </div>
      <Problem path={path} />
    </div>
  )
}
