// Data of the audit log as the store has it.
import { writtenTwice, type SaltedData } from '../../src/domain/audit/texts.js'
import type { Json } from '../../src/domain/values/canonical.js'
import type { Random } from '../../src/domain/values/ids.js'

export function salted(data: Json, random: Random): SaltedData {
  return JSON.parse(writtenTwice(data, random).stored) as SaltedData
}
