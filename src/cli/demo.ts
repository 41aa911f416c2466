// bursar demo: runs the whole scenario on its own service over a temporary data folder, with --live also on its own
// chain. It succeeds only if every step has the described result, and leaves neither process nor folder behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments } from './terminal/arguments.js'
import { EXIT, type Command } from './terminal/command.js'
import { LocalChain } from './demo/localChain.js'
import { moneyOn, simulatedMoney } from './demo/money.js'
import { createScreen } from './demo/screen.js'
import { Stage } from './demo/stage.js'
import { tellStory } from './demo/story.js'

const usage = 'demo [--live]'

const demo: Command = {
  usage,
  summary: 'run a demonstration in a temporary folder, kill -9 included; --live moves tokens on a local chain',
  run: async (args, { complain }) => {
    const isLive = readArguments(usage, args).has('live')
    const folder = throwAwayFolder()
    try {
      await play(folder, isLive)
      return EXIT.ok
    } catch (error) {
      complain(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`)
      // The exit of this process ends a service that still runs.
      return process.exit(EXIT.refused)
    }
  },
}

async function play(folder: string, isLive: boolean): Promise<void> {
  const screen = createScreen(process.stdout)
  const chain = isLive ? await LocalChain.start() : undefined
  const money = chain ? moneyOn(chain) : simulatedMoney
  const stage = await Stage.open(folder, money.settings)
  await tellStory(stage, money, screen)
  await stage.close()
  await chain?.stop()
  screen.end('Everything happened as described.')
}

/** Makes a temporary folder that is removed when the process exits. */
function throwAwayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return folder
}

export const demoCommands = { demo }
