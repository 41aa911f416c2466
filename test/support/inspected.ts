// A service for a whole test file, whose records must agree with each other when the file ends.
import { inspect } from './integrity.js'
import type { Scope } from './process.js'
import { start, type Started } from './service.js'

export async function startInspected(scope: Scope): Promise<Started> {
  const service = await start(scope)
  scope.teardown(async () => {
    await service.stop()
    const { problems } = await inspect(service.folder)
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
  return service
}
