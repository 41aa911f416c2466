// npm run error-reference: writes docs/errors.md from the table of codes.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorReference } from './errorReference.js'

writeFileSync(resolve('docs', 'errors.md'), errorReference())
