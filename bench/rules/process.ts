// Evaluates the rules and sends the table to its parent.
import { ruleTable } from './table.js'

const text = await ruleTable((progress) => process.stderr.write(`${progress}\n`))
process.send?.(text, () => process.exit())
