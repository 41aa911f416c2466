// npm run sdk:types: regenerates sdk/api.ts from the route table.
import { writeFileSync } from 'node:fs'
import { API_PATH, documented } from './document.js'
import { apiText } from './write.js'

writeFileSync(API_PATH, apiText(documented()))
