// npm run sdk:types: writes sdk/api.ts anew from what the built service says of itself, and takes out of planned.json
// what is served by now.
import { writeFileSync } from 'node:fs'
import { API_PATH, completed, PLANNED_PATH, plannedDocument, servedDocument, stillPlanned } from './document.js'
import { apiText } from './write.js'

const cleanings: (() => void | Promise<void>)[] = []
try {
  const served = await servedDocument({ teardown: (clean) => void cleanings.unshift(clean) })
  const planned = plannedDocument()
  writeFileSync(API_PATH, apiText(completed(served, planned)))
  writeFileSync(PLANNED_PATH, `${JSON.stringify(stillPlanned(planned, served))}\n`)
} finally {
  for (const clean of cleanings) await clean()
}
