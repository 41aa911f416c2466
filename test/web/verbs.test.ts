// Every action of the audit log has a word in the dashboard's sentences, and no word is for an action that there is not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { charts } from '../../machines/index.js'
import { actionOf, isAudited } from '../../src/domain/audit/entry.js'
import { projectRoot } from '../support/root.js'

/** Gates are told in turns that have no entries. REFUSED is a transition of the commands that a gate refuses. */
const GATE_TURNS = new Set(['RESERVE', 'CAPTURE', 'SETTLE', 'RESTORE', 'RELEASE'])
const UNDONE = { hold: 'none' } as const
const DONE = { hold: 'captured' } as const

const source = readFileSync(join(projectRoot, 'web', 'audit', 'verbs.ts'), 'utf8')

/** The verbs that a table of the dashboard has words for. */
function verbsIn(...tables: string[]): string[] {
  return tables.flatMap((table) => {
    const [, rows = ''] = new RegExp(`const ${table}: Verbs = \\{\\n([^}]+)\\}`).exec(source) ?? []
    return [...rows.matchAll(/^ {2}(\w+): /gm)].map(([, verb]) => verb!)
  })
}

/** The verbs of the actions of a kind of actor. */
function verbsOf(kind: keyof typeof charts): string[] {
  const commands: string[] = charts[kind].machine.events
  const isGate = commands.includes('RESERVE')
  const logged = commands.filter(
    (command) => isAudited(command) && command !== 'REFUSED' && !(isGate && GATE_TURNS.has(command)),
  )
  const staying = kind === 'payment' ? [true, false] : [false]
  const actions = logged.flatMap((command) =>
    staying.flatMap((stays) => [UNDONE, DONE].map((meta) => actionOf(kind, command, stays, meta))),
  )
  return [...new Set(actions)].map((action) => action.slice(kind.length + 1))
}

const kinds = Object.keys(charts) as (keyof typeof charts)[]
const objects = kinds.filter((kind) => kind !== 'payment' && kind !== 'session')

test('every action of a payment has a word, and every word an action', (t) => {
  t.deepEqual(verbsIn('PAYMENT_VERBS', 'PAYMENT_EVENTS').sort(), verbsOf('payment').sort())
})

test('every action of a session has a word, and every word an action', (t) => {
  t.deepEqual(verbsIn('SESSION_VERBS').sort(), verbsOf('session').sort())
})

test('every action of any other object has a word, and every word an action', (t) => {
  t.deepEqual(verbsIn('OBJECT_VERBS').sort(), [...new Set(objects.flatMap(verbsOf))].sort())
})
