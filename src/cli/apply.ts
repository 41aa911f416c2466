// bursar policies apply and test: policy as code. All detectable errors stop it before the first change.
import { asking, showing, type Asking, type Shown } from './asking.js'
import { EXIT, type Style } from './command.js'
import { readPolicyFiles, type PolicyFile } from './policyFile.js'
import { carryOut, outcomeOf, planOf, type Plan } from './policyPlan.js'
import { failingCases, type FailingCase } from './policyTrial.js'
import { clean } from './show.js'

export const applyCommands = {
  'policies apply': asking({
    usage: 'policies apply PATH [--dry-run] [--force]',
    summary: 'make policies as a JSON file, or those of a folder, say; --force overrides tests that fail',
    run: apply,
  }),
  'policies test': showing({
    usage: 'policies test PATH [--timezone ZONE]',
    summary: 'decide the tests in policy files here, without a service',
    run: async ({ words: [path], text }) => {
      const files = readPolicyFiles(path!)
      const failing = await failingIn(files, text('timezone') ?? 'UTC')
      const count = files.reduce((sum, { tests }) => sum + (tests?.length ?? 0), 0)
      if (failing.length > 0) return notPassed(failing)
      return { json: { passed: count, failed: [] }, lines: () => [`${count} tests pass`] }
    },
  }),
}

async function apply({ bursar, words: [path], has, context }: Asking): Promise<Shown> {
  const files = readPolicyFiles(path!)
  const { timezone } = await bursar.organization.get()
  const failing = has('force') ? [] : await failingIn(files, timezone)
  if (failing.length > 0) return notPassed(failing)
  const plans = await planOf(bursar, files)
  const due = has('dry-run') ? [] : plans.filter((plan) => outcomeOf(plan) !== 'unchanged')
  for (const [at, plan] of due.entries()) {
    context.progress(`${at + 1} of ${due.length}: ${clean(plan.file.name)}`)
    await carryOut(bursar, plan, has('force')).catch((error: unknown) => {
      context.progress('')
      context.complain(`${plan.file.path} was refused, ${at} of ${due.length} files before it are applied`)
      throw error
    })
  }
  const heading = has('dry-run') ? ['Nothing was changed: this is what would be'] : []
  return {
    json: { dryRun: has('dry-run'), policies: plans.map(recordOf) },
    lines: (style) => [...heading, ...plans.flatMap((plan) => linesOf(plan, style))],
  }
}

async function failingIn(files: readonly PolicyFile[], timezone: string): Promise<FailingCase[]> {
  const failing: FailingCase[] = []
  for (const file of files) failing.push(...(await failingCases(file, timezone)))
  return failing
}

function notPassed(failing: FailingCase[]): Shown {
  const line = ({ path, name, message }: FailingCase): string => `${path}: test ${clean(name)} ${clean(message)}`
  return { json: { failed: failing }, lines: () => failing.map(line), exit: EXIT.refused }
}

function recordOf(plan: Plan) {
  const { file, policy, fields, rulesAdded, rulesRemoved, reordered, tests } = plan
  const changes = { fields, rulesAdded, rulesRemoved, reordered, testsChanged: tests !== undefined }
  return { file: file.path, name: file.name, policyId: policy?.id, outcome: outcomeOf(plan), ...changes }
}

const MARKS = { created: '+', changed: '~', unchanged: '=' } as const

export function linesOf(plan: Plan, style: Style): string[] {
  const outcome = outcomeOf(plan)
  const { fields, rulesAdded, rulesRemoved, reordered, tests } = plan
  return [
    style('bold', `${MARKS[outcome]} ${clean(plan.file.name)}  ${outcome}`),
    ...changeLines({ fields, rulesAdded, rulesRemoved }, style),
    ...(reordered ? ['    the order of the rules'] : []),
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
