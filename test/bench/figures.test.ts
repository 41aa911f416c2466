// What the bench reads from the wire and makes of its rounds.
import test from 'ava'
import { median } from '../../bench/measure.js'
import { lengthOf } from '../../bench/response.js'
import { blocksOf, tableOf } from '../../bench/table.js'
import { postOf } from '../../bench/target.js'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n'

const ANSWERS: [what: string, answer: string, length: number | undefined][] = [
  ['whole', `${HEAD}{"status":1}`, HEAD.length + 12],
  ['with half a body', `${HEAD}{"st`, HEAD.length + 12],
  ['with no body yet', HEAD, HEAD.length + 12],
  ['with half a head', HEAD.slice(0, -2), undefined],
  ['not begun', '', undefined],
]

for (const [what, answer, length] of ANSWERS) {
  test(`The load knows how long an answer is that is ${what}`, (t) => {
    t.is(lengthOf(Buffer.from(answer)), length)
  })
}

test('The load does not guess how long an answer is that does not say so', (t) => {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nContent-Length: 3')
  t.throws(() => lengthOf(answer), { message: /without a length/ })
})

test('A request says its own length in bytes', (t) => {
  const request = postOf('/path', { name: 'é' }, 'key')
  t.regex(request, /^POST \/path HTTP\/1\.1\r\n[^]*\r\nContent-Length: 13\r\n\r\n\{"name":"é"\}$/)
})

const MEDIANS: [values: number[], middle: number][] = [
  [[5], 5],
  [[3, 1, 2], 2],
  [[4, 1], 2.5],
  [[10, 9, 8, 100], 9.5],
]

for (const [values, middle] of MEDIANS) {
  test(`The median of ${values.join(', ')} is ${middle}`, (t) => {
    t.is(median(values), middle)
  })
}

test('The table compares each row with the echo at the same connections', (t) => {
  const row = { p50Ms: 1, p99Ms: 2, cpuMicrosPerRequest: 3, deliveriesPerSecond: 0 }
  const lines = tableOf([
    { name: 'echo', connections: 1, requestsPerSecond: 100, ...row },
    { name: 'echo', connections: 64, requestsPerSecond: 1000, ...row },
    { name: 'request', connections: 64, requestsPerSecond: 120, ...row },
  ]).split('\n')
  t.is(lines.length, 4)
  t.regex(lines[2]!, /^echo +64 +1000 +1\.00 +2\.00 +3$/)
  t.regex(lines[3]!, /^request +64 +120 +1\.00 +2\.00 +3 +0\.120$/)
})

test('The longest blocks are told beside what is too much', (t) => {
  const lines = blocksOf([{ what: 'writing', longestMs: 49.94 }, { what: 'deciding', longestMs: 50 }], 50).split('\n')
  t.is(lines.length, 3)
  t.regex(lines[1]!, /^writing +49\.9$/)
  t.regex(lines[2]!, /^deciding +50\.0 {2}target 50 missed$/)
})
