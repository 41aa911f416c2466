// Evaluates and tells its parent the table.
import { ruleTable } from './table.js'

const text = await ruleTable((progress) => process.stderr.write(`${progress}\n`))
process.send?.(text, () => process.exit())
