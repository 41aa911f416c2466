// bursar policies apply and test: policy as code. All detectable errors stop it before the first change.
import { asking, showing, type ServiceCommand, type Shown } from '../terminal/asking.js'
import { EXIT, type Style } from '../terminal/command.js'
import { readPolicyFiles } from './file.js'
import { applyPlan, checkPlanScope, planOutcome, planOf, subjectOf, withoutFailing, type Plan } from './plan.js'
import { failingCases, type FailingCase } from './trial.js'
import { clean } from '../terminal/show.js'

export const applyCommands = {
  'policies apply': asking({
    usage: 'policies apply PATH [--dry-run] [--force]',
    summary: 'make policies match a JSON file, or all JSON files of a folder; --force overrides tests that fail',
    run: apply,
  }),
  'policies test': showing({
    usage: 'policies test PATH [--timezone ZONE]',
    summary: 'run the tests in policy files on this machine, without a service',
    run: async ({ words: [path], text }) => {
      const files = readPolicyFiles(path!)
      const subjects = files.map((file) => ({ file, cases: file.tests ?? [], policyId: 'file' }))
      const failing = await failingCases(subjects, text('timezone') ?? 'UTC')
      const count = files.reduce((sum, { tests }) => sum + (tests?.length ?? 0), 0)
      if (failing.length > 0) return notPassed(failing)
      return {
        json: { passed: count, failed: [] },
        lines: () => [count === 1 ? '1 test passes' : `${count} tests pass`],
      }
    },
  }),
}

async function apply(asking: ServiceCommand): Promise<Shown> {
  const { bursar, words, has, context } = asking
  const planned = await planOf(bursar, readPolicyFiles(words[0]!))
  for (const plan of planned) checkPlanScope(plan)
  const { timezone } = await bursar.organization.get()
  const failing = await failingCases(planned.map(subjectOf), timezone)
  if (failing.length > 0 && !has('force')) return notPassed(failing)
  const stored = new Set(planned.flatMap(({ file }) => (file.tests ? [] : [file.path])))
  for (const one of failing) {
    const left = stored.has(one.path) ? '' : ', and not stored with the policy'
    context.complain(`${lineOf(one)}: overridden${left}`)
  }
  const plans = planned.map((plan) => withoutFailing(plan, failing))
  if (!has('dry-run')) await carryOutAll(asking, plans)
  const heading = has('dry-run') ? ['Nothing was changed: this is what apply would do'] : []
  return {
    json: { dryRun: has('dry-run'), policies: plans.map(recordOf), failed: failing },
    lines: (style) => [...heading, ...plans.flatMap((plan) => planLines(plan, style))],
  }
}

async function carryOutAll({ bursar, has, context }: ServiceCommand, plans: readonly Plan[]): Promise<void> {
  const due = plans.filter((plan) => planOutcome(plan) !== 'unchanged')
  for (const [at, plan] of due.entries()) {
    context.progress(`${at + 1} of ${due.length}: ${clean(plan.file.name)}`)
    const changes: string[] = []
    await applyPlan(bursar, plan, has('force'), (change) => changes.push(change)).catch((error: unknown) => {
      context.progress('')
      const after = changes.length === 0 ? '' : `, after ${changes.join(' and ')}`
      const applied = `${at} of ${due.length} files ${at === 1 ? 'is' : 'are'} applied`
      context.complain(`Stopped at ${plan.file.path}${after}: ${applied}`)
      throw error
    })
  }
}

const lineOf = ({ path, name, message }: FailingCase): string => `${path}: test ${clean(name)} ${clean(message)}`

function notPassed(failing: FailingCase[]): Shown {
  return { json: { failed: failing }, lines: () => failing.map(lineOf), exit: EXIT.refused }
}

function recordOf(plan: Plan) {
  const { file, policy, fields, rulesAdded, rulesRemoved, reordered, tests } = plan
  const changes = { fields, rulesAdded, rulesRemoved, reordered, testsChanged: tests !== undefined }
  return { file: file.path, name: file.name, policyId: policy?.id, outcome: planOutcome(plan), ...changes }
}

const MARKS = { created: '+', changed: '~', unchanged: '=' } as const

function planLines(plan: Plan, style: Style): string[] {
  const outcome = planOutcome(plan)
  const { fields, rulesAdded, rulesRemoved, reordered, tests } = plan
  return [
    style('bold', `${MARKS[outcome]} ${clean(plan.file.name)}  ${outcome}`),
    ...changeLines({ fields, rulesAdded, rulesRemoved }, style),
    ...(reordered ? ['    the order of the rules changes'] : []),
    ...(tests === undefined ? [] : [`    tests: ${tests.length}`]),
  ]
}

interface Changes {
  fields: readonly { field: string; from: unknown; to: unknown }[]
  rulesAdded: readonly object[]
  rulesRemoved: readonly object[]
}

const written = (value: unknown): string => clean(JSON.stringify(value))

/** The lines of a change, also for `policies diff`. */
export function changeLines({ fields, rulesAdded, rulesRemoved }: Changes, style: Style): string[] {
  const text = (rule: object): string => {
    const { ruleType, operator, value, action } = rule as { [field: string]: unknown }
    return clean([ruleType, operator, JSON.stringify(value), action].filter((part) => part !== null).join(' '))
  }
  return [
    ...fields.map(({ field, from, to }) => `    ${field}: ${written(from)} → ${written(to)}`),
    ...rulesRemoved.map((rule) => style('red', `  - ${text(rule)}`)),
    ...rulesAdded.map((rule) => style('green', `  + ${text(rule)}`)),
  ]
}
