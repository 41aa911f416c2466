// Loaded before everything else in a process that has a mistake: `--import`, with the mistake's number in MUTANT.
import { register } from 'node:module'
import { MUTANTS } from './list/index.js'

const { changes } = MUTANTS[Number(process.env['MUTANT'])]!
register('./hook.js', import.meta.url, { data: { changes } })
