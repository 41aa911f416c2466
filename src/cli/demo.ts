// npm run demo: plays the whole story on a service of its own over a throw-away data folder. It exits 0 only when
// everything was as told, and leaves neither process nor folder behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScreen } from './demo/screen.js'
import { Stage } from './demo/stage.js'
import { tellStory } from './demo/story.js'

const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

try {
  const screen = createScreen(process.stdout)
  const stage = await Stage.open(folder)
  await tellStory(stage, screen)
  await stage.close()
  screen.end('Everything was as told.')
} catch (error) {
  process.stderr.write(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
