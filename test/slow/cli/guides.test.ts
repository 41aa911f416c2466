// The shell blocks of the tutorial and the guides work unchanged, in their order, and write what the documents say.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { notRun } from '../../support/notRun.js'
import { projectRoot } from '../../support/root.js'
import { newFolder, startService } from '../../support/process.js'
import { blocksIn, missingLines, missingTool, runBlocks } from './blocks.js'

const guides = readdirSync(join(projectRoot, 'docs', 'guides')).map((name) => join('docs', 'guides', name))
/** Not run, because the test starts the service itself. */
const START = 'npm install && npm start\n'
/** Blocks that are not run: other formats, expected output, and commands that need another machine. */
const OTHERS = new Set(['output', 'text', 'json', 'js', 'ini', 'nginx', 'dockerfile', 'yaml'])

/** Guides whose expected output is all that their blocks write. */
const WHOLE = new Set(['docs/guides/x402.md'])

for (const document of ['docs/tutorial.md', ...guides]) {
  test.serial(`Every shell block of ${document} works unchanged`, async (t) => {
    const blocks = blocksIn(document).filter(({ text }) => text !== START)
    const unknown = blocks.filter(({ language }) => language !== 'sh' && !OTHERS.has(language))
    t.deepEqual(unknown, [], 'Name the language of a block; only `sh` is run')
    const shell = blocks.filter(({ language }) => language === 'sh')
    const missing = missingTool()
    if (missing !== undefined) return notRun(t, missing)
    if (shell.length === 0) return
    const { url, folder } = await startService(t, newFolder(t))
    const written = await runBlocks(
      t,
      shell.map(({ text }) => text),
      { url, env: { BURSAR_DATA_DIR: folder } },
    )
    for (const [at, { language, text }] of blocks.entries()) {
      if (language !== 'output') continue
      const from = blocks.slice(0, at).filter((block) => block.language === 'sh').length - 1
      const about = `${document}: of what this wrote\n${shell[from]!.text}\n${written[from]}`
      t.deepEqual(missingLines(written[from]!, text), [], about)
      if (WHOLE.has(document)) t.is(written[from]!.split('\n').length, text.split('\n').length, about)
    }
  })
}
