// Files that break a rule of the architecture, a few that only seem to, and what the rule reports about each.
interface Example {
  path: string
  text: string
  /** `line what` of each violation; empty if the file is allowed. */
  said: string[]
  /** Other files that the rule reads too: path and text. */
  beside?: { [path: string]: string }
}

const at = (path: string, text: string, ...said: string[]): Example => ({ path, text, said })
const inRules = (text: string, ...said: string[]): Example => at('rules/a.ts', text, ...said)
/** b loads c, and c loads a; d only imports a type from a. */
const besideA = (folder: string): { [path: string]: string } => ({
  [`${folder}/b.tsx`]: `export * from './c.js'`,
  [`${folder}/c.ts`]: `import './a.js'`,
  [`${folder}/d.ts`]: `import type { A } from './a.js'`,
})
const inCycle = (folder: string, text: string, ...said: string[]): Example => ({
  ...at(`${folder}/a.tsx`, text, ...said),
  beside: besideA(folder),
})
/** A file, and what `src/http/index.ts` does with it, which the service starts. */
const inUse = (path: string, text: string, using: string, ...said: string[]): Example => {
  return {
    ...at(path, text, ...said),
    beside: { 'src/main.ts': `import './http/index.js'`, 'src/http/index.ts': using },
  }
}
const longFunction = (lines: number): string => `function long() {\n${'  void 0\n'.repeat(lines - 2)}}\n`
/** So many files beside `src/cli/a.ts`. */
const siblings = (number: number): { [path: string]: string } =>
  Object.fromEntries(Array.from({ length: number }, (_, index) => [`src/cli/b${index}.ts`, '']))

export const examples: { [rule: string]: Example[] } = {
  'every file belongs to a part of the architecture': [
    at('src/misc/a.ts', '', '1 no part is named misc'),
    at('src/a.ts', '', '1 no part is named a.ts'),
    at('src/main.ts', ''),
    at('web/a.ts', ''),
  ],
  'each part imports only the parts that it may import': [
    at('src/domain/a.ts', `\nimport { a } from '../actor/turn.js'`, '2 domain must not import actor'),
    at('src/http/a.ts', `import type { A } from '../store/store.js'`, '1 http must not import store'),
    at('src/http/a.ts', `import { type A } from '../store/store.js'`, '1 http must not import store'),
    at('src/http/a.ts', `export type A = import('../host/embedded.js').A`, '1 http must not import host'),
    at('src/commands/a.ts', `export * from '../host/embedded.js'`, '1 commands must not import host'),
    at('src/commands/a.ts', `await import('../http/app.js')`, '1 commands must not import http'),
    at('src/host/a.ts', `import '../main.js'`, '1 host must not import main'),
    at('src/host/deep/a.ts', `import '../../http/app.js'`, '1 host must not import http'),
    at('machines/a.ts', `import '../rules/index.js'`, '1 machines must not import rules'),
    at('rules/a.ts', `import '../machines/index.js'`, '1 rules must not import machines'),
    at('sdk/a.ts', `import '../src/domain/values/ids.js'`, '1 sdk must not import domain'),
    at(
      'web/pages/a.tsx',
      `import '../../src/domain/values/ids.js'\nexport default () => <p />`,
      '1 web must not import domain',
    ),
    at('web/api.ts', `import '../sdk/call.js'`),
    at('src/service/service.ts', `import '../host/embedded.js'\nimport '../config/config.js'`),
    at('test/a.ts', `import '../src/host/embedded.js'`),
  ],
  'imports have no cycle': [
    inCycle('src/cli', `import './c.js'`, '1 ./c.js leads back here'),
    inCycle('src/cli', `\nimport { b } from './b.js'`, '2 ./b.js leads back here'),
    inCycle('src/cli', `import { type B } from './b.js'`, '1 ./b.js leads back here'),
    inCycle('src/cli', `await import('./b.js')`, '1 ./b.js leads back here'),
    inCycle('src/cli', `import './a.js'`, '1 ./a.js leads back here'),
    inCycle('src/cli', `import type { B } from './b.js'`),
    inCycle('src/cli', `export type { B } from './b.js'`),
    inCycle('src/cli', `export type B = import('./b.js').B`),
    inCycle('src/cli', `import './d.js'\nimport 'node:fs'`),
    inCycle('web', `import type { B } from './b.js'`, '1 ./b.js leads back here'),
    inCycle('web', `import type { D } from './d.js'`, '1 ./d.js leads back here'),
    inCycle('web', `import './e.js'\nimport 'preact'`),
  ],
  'charts import no other chart': [
    at('machines/a.ts', `import { agent } from './agent.js'`, '1 ./agent.js'),
    at('machines/index.ts', `import { agent } from './agent.js'`),
    at('machines/payment/chart.ts', `import { agent } from '../agent.js'`, '1 ../agent.js'),
    at('machines/payment/chart.ts', `import { a } from './guards.js'`),
  ],
  'each library is imported only by its owners': [
    at('src/host/a.ts', `import { open } from 'lmdb'`, '1 lmdb'),
    at('src/http/a.ts', `import { getAddress } from 'viem/utils'`, '1 viem/utils'),
    at('src/cli/a.ts', `import Router from '@koa/router'`, '1 @koa/router'),
    at('src/commands/a.ts', `import type { Engine } from 'json-rules-engine'`, '1 json-rules-engine'),
    at('src/chain/a.ts', `import '@noble/hashes/sha2.js'`, '1 @noble/hashes/sha2.js'),
    at('src/store/a.ts', `import { open } from 'lmdb'`),
  ],
  'the inner parts import only their own libraries': [
    at('src/domain/a.ts', `import 'valibot'`, '1 valibot'),
    at('machines/a.ts', `import 'node:fs'`, '1 node:fs'),
    at('sdk/a.ts', `import 'node:crypto'`, '1 node:crypto'),
    at('web/a.tsx', `import 'react'`, '1 react'),
    at('src/domain/a.ts', `import '@noble/hashes/sha2.js'`),
  ],
  'pure code touches no clock, randomness, process, I/O or console': [
    inRules('const at = 1\nexport const now = () => Date.now() + at', '2 Date.now'),
    inRules('export const now = new Date()', '1 new Date()'),
    inRules('export const now = Date()', '1 Date()'),
    inRules('export const now = globalThis?.performance', '1 globalThis'),
    inRules('setTimeout(() => {}, 1)', '1 setTimeout'),
    inRules('export const { random } = { random: Math.random() }', '1 Math.random'),
    inRules(`export const id = crypto['randomUUID']()`, '1 crypto'),
    inRules(`import { randomBytes as bytes } from '@noble/hashes/utils.js'`, '1 import randomBytes'),
    inRules(`import { readFileSync } from 'node:fs'`, '1 node:fs'),
    at('src/domain/a.ts', `import { hash } from 'node:crypto'`, '1 node:crypto'),
    at('src/domain/values/digest.ts', `import { hash } from 'node:crypto'`),
    at('src/domain/values/digest.ts', `import { randomBytes } from 'node:crypto'`, '1 import randomBytes'),
    inRules('export const home = `${process.env.HOME}`', '1 process'),
    inRules('export const loud = { console }', '1 console'),
    inRules('export const text = (at: number) => new Date(at).toISOString()'),
    inRules('export interface Clock { process: string; now(): Date }'),
    inRules('export const gate = (card: { console: string }) => card.console'),
    inRules('export function mint(randomBytes: Uint8Array) { return randomBytes[0] }'),
    at('src/http/a.ts', 'export const now = Date.now()'),
  ],
  'no function has more than 70 lines': [
    at('sdk/a.ts', `// One\n${longFunction(71)}`, '2 long has 71 lines'),
    at('src/cli/a.ts', `export class A {\n${longFunction(71).slice(9)}}`, '2 long has 71 lines'),
    at('src/cli/a.ts', longFunction(70)),
    at('test/a.ts', longFunction(71)),
  ],
  'no file has more than 400 lines': [
    at('src/cli/a.ts', '\n'.repeat(401), '401 401 lines'),
    at('src/cli/a.ts', '\n'.repeat(400)),
    at('bench/a.ts', '\n'.repeat(401)),
  ],
  'no exported name is defined in two files': [
    { ...at('src/b.ts', `export type A = 1`, '1 A'), beside: { 'src/a.ts': `\nexport const A = 1` } },
    { ...at('src/b.ts', `export { A } from './a.js'`), beside: { 'src/a.ts': `export const A = 1` } },
    { ...at('src/b.ts', `export class A {}`), beside: { 'web/a.ts': `export const A = 1` } },
  ],
  'no folder has more than 30 files': [
    { ...at('src/cli/a.ts', '', '1 src/cli has 31 files'), beside: siblings(30) },
    { ...at('src/cli/a.ts', ''), beside: siblings(29) },
  ],
  'nothing is named utils, helpers, common or types': [
    at('src/http/utils/a.ts', '', '1 utils'),
    at('test/types.ts', '', '1 types'),
    at('src/http/typesetting.ts', ''),
  ],
  'every file is reached from a program, a test or a page': [
    at('src/main.ts', ''),
    at('src/a.test.ts', ''),
    at('src/http/a.ts', '', '1 no program, test or page reaches it'),
    inUse('src/http/a.ts', '', `import '../http/a.js'`),
    inUse('src/http/a.ts', '', `await import('./a.js')`),
    inUse('src/http/a.ts', '', `new Worker(new URL('a.js', import.meta.url))`),
    { ...at('web/a.tsx', ''), beside: { 'web/main.tsx': `import './a.js'` } },
    { ...at('test/a.ts', '', '1 no program, test or page reaches it'), beside: { 'test/b.ts': `import './a.js'` } },
  ],
  'every export is used': [
    inUse('src/http/a.ts', 'export const a = 1', `import { a } from './a.js'`),
    inUse('src/http/a.ts', 'export const a = 1', `import * as all from './a.js'`),
    inUse('src/http/a.ts', 'export const a = 1', `new Worker(new URL('a.js', import.meta.url))`),
    inUse('src/http/a.ts', 'export const a = 1', `import { b } from './a.js'`, '1 nothing uses a'),
    inUse('src/http/a.ts', 'export const a = 1\nexport const b = a', `import { b } from './a.js'`, '1 nothing uses a'),
    inUse('src/http/a.ts', `export { a } from './c.js'`, '', '1 nothing uses a'),
    inUse('src/http/a.ts', 'export interface A {}', '', '1 nothing uses A'),
    inUse(
      'src/http/a.ts',
      'interface A {}\nexport interface B extends A {}\nexport const a = (b: B) => b',
      `import { a } from './a.js'`,
    ),
    {
      ...at('src/http/a.ts', 'export const a = 1', '1 nothing uses a'),
      beside: { 'test/a.ts': `import { a } from '../src/http/a.js'` },
    },
    {
      ...at('src/http/a.ts', 'export const a = 1\nvoid a'),
      beside: { 'test/a.ts': `import { a } from '../src/http/a.js'` },
    },
    {
      ...at('web/a.tsx', 'export const A = () => <p />\nvoid <A />'),
      beside: { 'test/a.ts': `import { A } from '../web/a.js'` },
    },
  ],
}
