// The package as its users get it: packed, installed where nothing else is, and used.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

test('the installed package has its command, its SDK and its types, and nothing that it should not have', async (t) => {
  t.timeout(300_000)
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN])
  t.log(stdout.trim())
  t.regex(stdout, /^bursar-\S+\.tgz: \d+ kB/)
})
