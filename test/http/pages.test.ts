// The pages for people: plain files under a policy that lets nothing else run, and that they keep themselves.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { pageRoutes } from '../../src/http/pages.js'
import { projectRoot } from '../root.js'
import { startToy } from './toy.js'

const PATHS = ['/', '/setup', '/signin', '/approvals/c1', '/web/people.js', '/web/style.css']
const POLICY = /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'none'.*frame-ancestors 'none'$/

async function pages(): Promise<{ path: string; headers: Headers; text: string }[]> {
  const toy = await startToy({ rows: pageRoutes() })
  try {
    const read = async (path: string) => {
      const response = await fetch(toy.url + path)
      return { path, headers: response.headers, text: await response.text() }
    }
    return await Promise.all(PATHS.map(read))
  } finally {
    await toy.close(0)
  }
}

test('every file in web is served, as what it is, and kept from frames, caches and referrers', async (t) => {
  t.is(readdirSync(join(projectRoot, 'web')).length, PATHS.length)
  for (const { path, headers } of await pages()) {
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html'
    t.is(headers.get('content-type'), `${type}; charset=utf-8`)
    t.regex(headers.get('content-security-policy') ?? '', POLICY)
    t.is(headers.get('x-content-type-options'), 'nosniff')
    t.is(headers.get('referrer-policy'), 'no-referrer')
    t.is(headers.get('cache-control'), 'no-store')
  }
})

test('a page holds no script or style of its own, and names only what is served', async (t) => {
  for (const { path, headers, text } of await pages()) {
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue
    t.deepEqual(text.match(/<script>|<style|\son\w+=|\sstyle=|javascript:|https?:/g) ?? [], [], path)
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target!)
    for (const target of named) t.true([...PATHS, '/openapi.json'].includes(target), target)
  }
})

test('a page says its language and title, and every field has a label', async (t) => {
  for (const { path, headers, text } of await pages()) {
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue
    t.regex(text, /^<!doctype html>\n<html lang="en">/, path)
    t.regex(text, /<title>.+<\/title>/)
    t.is(text.match(/<h1>/g)?.length, 1)
    t.regex(text, /id="message"/)
    const fields = [...text.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id!)
    for (const id of fields) t.true(text.includes(`<label for="${id}">`), `${path} ${id}`)
  }
})

test('a page is served whatever parameters a link to it carries', async (t) => {
  const toy = await startToy({ rows: pageRoutes() })
  const { status } = await fetch(`${toy.url}/signin?next=%2F&utm_source=mail`)
  await toy.close(0)
  t.is(status, 200)
})
