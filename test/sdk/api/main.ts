// npm run sdk:types: regenerates sdk/api.ts from the OpenAPI document of the built service.
import { writeFileSync } from 'node:fs'
import { API_PATH, servedDocument } from './document.js'
import { apiText } from './write.js'

const cleanings: (() => void | Promise<void>)[] = []
try {
  writeFileSync(API_PATH, apiText(await servedDocument({ teardown: (clean) => void cleanings.unshift(clean) })))
} finally {
  for (const clean of cleanings) await clean()
}
