// An option whose value is one of a few words.
import { UsageError } from './command.js'

export function choice<T extends string>(name: string, among: readonly T[], text: string | undefined): T | undefined {
  const found = among.find((one) => one === text)
  if (text !== undefined && found === undefined) throw new UsageError(`${name} must be one of ${among.join(', ')}`)
  return found
}
