// The dashboard as it is served: one page at every address that links lead to, and its files, under a content security
// policy that allows nothing else and that they themselves comply with.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { pageRoutes } from '../../src/http/routes/pages.js'
import { projectRoot } from '../support/root.js'
import { startToy } from './toy.js'

const ASSETS = readdirSync(join(projectRoot, 'dist', 'web', 'assets')).map((file) => `/assets/${file}`)
const ADDRESSES = ['/', '/setup', '/signin', '/approvals/c1']
const PATHS = [...ADDRESSES, ...ASSETS]
const POLICY = /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'none'.*frame-ancestors 'none'$/
const TYPES: [ending: string, type: string][] = [
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.svg', 'image/svg+xml'],
]

async function asked(
  paths: string[],
  encoding = 'identity',
): Promise<{ path: string; status: number; headers: Headers; text: string }[]> {
  const toy = await startToy({ rows: pageRoutes() })
  try {
    const read = async (path: string) => {
      const response = await fetch(toy.url + path, { headers: { 'Accept-Encoding': encoding } })
      return { path, status: response.status, headers: response.headers, text: await response.text() }
    }
    return await Promise.all(paths.map(read))
  } finally {
    await toy.close(0)
  }
}

test('every file of the dashboard is served with its type and the security headers', async (t) => {
  t.true(ASSETS.length > 0)
  for (const { path, status, headers } of await asked(PATHS)) {
    const [, type] = TYPES.find(([ending]) => path.endsWith(ending)) ?? ['', 'text/html']
    t.is(status, 200)
    t.is(headers.get('content-type'), `${type}; charset=utf-8`)
    t.regex(headers.get('content-security-policy') ?? '', POLICY)
    t.is(headers.get('x-content-type-options'), 'nosniff')
    t.is(headers.get('referrer-policy'), 'no-referrer')
  }
})

test('browsers cache the files for good, whose names change with them, and never the page', async (t) => {
  for (const { path, headers } of await asked(PATHS)) {
    const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store'
    t.is(headers.get('cache-control'), kept, path)
  }
})

test('files are compressed for clients that accept gzip, and vary by Accept-Encoding', async (t) => {
  const plain = await asked(ASSETS)
  for (const encoding of ['gzip, deflate, br', '*']) {
    for (const [at, { path, headers, text }] of (await asked(ASSETS, encoding)).entries()) {
      t.is(headers.get('content-encoding'), 'gzip', path)
      t.true(Number(headers.get('content-length')) < Buffer.byteLength(text) || text.length < 300, path)
      t.is(text, plain[at]!.text, path)
    }
  }
  for (const encoding of ['br', 'gzip;q=0', 'identity']) {
    for (const { path, headers } of await asked(ASSETS, encoding)) t.is(headers.get('content-encoding'), null, path)
  }
  for (const { path, headers } of plain) t.is(headers.get('vary'), 'Accept-Encoding', path)
})

test('the page has no inline script or style, and refers only to what is served', async (t) => {
  for (const { path, text } of await asked(ADDRESSES)) {
    t.deepEqual(text.match(/<script>|<style|\son\w+=|\sstyle=|javascript:|https?:/g) ?? [], [], path)
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target!)
    t.true(named.length > 2)
    for (const target of named) t.true(PATHS.includes(target), target)
  }
})

test('the page has a language, a title and a noscript message', async (t) => {
  for (const { path, text } of await asked(ADDRESSES)) {
    t.regex(text, /^<!doctype html>\n<html lang="en">/, path)
    t.regex(text, /<title>.+<\/title>/)
    t.regex(text, /<noscript>.+<\/noscript>/)
  }
})

/** Links that a person follows: nothing is loaded from there. */
const LINKED_HOSTS = [
  'etherscan.io',
  'polygonscan.com',
  'basescan.org',
  'sepolia.basescan.org',
  'arbiscan.io',
  'explorer.solana.com',
  'stately.ai',
]
const LINKED = new Set(LINKED_HOSTS.map((host) => `https://${host}`))

test('no file names another host or evaluates text as code', async (t) => {
  for (const { path, text } of await asked(ASSETS)) {
    const addresses = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address)
    const foreign = addresses.filter(
      (address) =>
        !/^https?:\/\/(www\.w3\.org|localhost|127\.0\.0\.1|.*example.*)$/.test(address) && !LINKED.has(address),
    )
    t.deepEqual(foreign, [], path)
    t.notRegex(text, /\beval\(|new Function\(/, path)
  }
})

test('an unknown file or address is a 404', async (t) => {
  for (const { path, status, text } of await asked([
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/payments/c1',
    '/api/none',
  ])) {
    t.is(status, 404, path)
    t.is((JSON.parse(text) as { code: string }).code, 'NOT_FOUND', path)
  }
})

test('a page is served whatever query parameters its link has', async (t) => {
  const [page] = await asked(['/signin?next=%2F&utm_source=mail'])
  t.is(page!.status, 200)
})
