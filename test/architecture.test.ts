// The architecture holds in every file, and each of its rules is one that can be broken.
import test from 'ava'
import { examples } from './architecture/examples.js'
import { rules } from './architecture/rules.js'
import { readSource, sourceOf, sourcePaths } from './architecture/sources.js'

const sources = sourcePaths().map(readSource)

test('the rules have sources to look at', (t) => {
  const paths = sources.map(({ path }) => path)
  for (const path of ['src/main.ts', 'src/actor/turn.ts', 'machines/payment.ts']) t.true(paths.includes(path), path)
})

for (const { title, broken } of rules) {
  test(title, (t) => {
    const found = sources.flatMap((source) => broken(source).map(({ line, what }) => `${source.path}:${line} ${what}`))
    t.deepEqual(found, [])
  })

  test(`the rule that ${title} can be broken`, (t) => {
    t.true(examples[title]?.some(({ said }) => said.length > 0))
    for (const { path, text, said } of examples[title]!) {
      const found = broken(sourceOf(path, text)).map(({ line, what }) => `${line} ${what}`)
      t.deepEqual(found, said, `${path}: ${text}`)
    }
  })
}
