// How the benchmark parses responses and summarizes its rounds.
import test from 'ava'
import { median } from '../../../bench/median.js'
import { lengthOf } from '../../../bench/response.js'
import { withSection } from '../../../bench/performancePage.js'
import { ratiosOf, standingOf } from '../../../bench/ratios.js'
import { blocksOf, tableOf } from '../../../bench/table.js'
import { postOf } from '../../../bench/target.js'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n'

const ANSWERS: [what: string, answer: string, length: number | undefined][] = [
  ['complete', `${HEAD}{"status":1}`, HEAD.length + 12],
  ['cut off in its body', `${HEAD}{"st`, HEAD.length + 12],
  ['cut off before its body', HEAD, HEAD.length + 12],
  ['cut off in its head', HEAD.slice(0, -2), undefined],
  ['empty', '', undefined],
]

for (const [what, answer, length] of ANSWERS) {
  test(`The load reads the length of a response that is ${what}`, (t) => {
    t.is(lengthOf(Buffer.from(answer)), length)
  })
}

test('The load rejects a response without a content length', (t) => {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nContent-Length: 3')
  t.throws(() => lengthOf(answer), { message: /without a length/ })
})

test('A request states its content length in bytes', (t) => {
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

const ROW = { p50Ms: 1, p99Ms: 2, cpuMicrosPerRequest: 3, cpuMicrosByTurn: [3], spread: 0.1, deliveriesPerSecond: 0 }

test('The table compares each row with the echo at the same number of connections, and lists what was not run', (t) => {
  const rows = [
    { name: 'echo', connections: 1, requestsPerSecond: 100, ...ROW },
    { name: 'echo', connections: 64, requestsPerSecond: 1000, ...ROW },
    { name: 'request', connections: 64, requestsPerSecond: 120, ...ROW },
  ]
  const lines = tableOf(rows, [{ name: 'redis', connections: [1, 64], reason: 'not here' }]).split('\n')
  t.is(lines.length, 7)
  t.regex(lines[3]!, /^\| echo +\| +64 \| +1000 \| +10 % \| +1\.00 \| +2\.00 \| +3 \| +\| +\|$/)
  t.regex(lines[4]!, /^\| request +\| +64 \| +120 \| +10 % \| +1\.00 \| +2\.00 \| +3 \| +0\.120 \| +\|$/)
  t.regex(lines[6]!, /^\| redis +\| +64 \| +NOT RUN \|/)
})

test('A ratio compares rows of one run, and is null if one of them is missing', (t) => {
  const rows = [
    { name: 'echo', connections: 64, requestsPerSecond: 1000, ...ROW },
    { name: 'request', connections: 64, requestsPerSecond: 250, ...ROW },
    { name: 'request, outbox', connections: 64, requestsPerSecond: 200, ...ROW },
    { name: 'redis', connections: 64, requestsPerSecond: 100, ...ROW },
  ]
  t.deepEqual(ratiosOf(rows), {
    echo64: 0.25,
    postgresFunction1: null,
    postgresFunction64: null,
    postgresTransaction64: null,
    redis64: 2,
    million: null,
  })
})

test('New results replace their section of the page and nothing else', (t) => {
  const page = '# Page\n<!-- rows -->\nold\n<!-- end of rows -->\n<!-- soak -->\n<!-- end of soak -->\n'
  t.is(withSection(page, 'rows', 'new'), page.replace('old', '\nnew\n'))
  t.throws(() => withSection(page, 'growth', 'new'), { message: /no section/ })
})

test('The longest blocks are listed, and those that miss the target are marked', (t) => {
  const lines = blocksOf(
    [
      { what: 'writing', longestMs: 49.94 },
      { what: 'deciding', longestMs: 50 },
    ],
    50,
  ).split('\n')
  t.is(lines.length, 3)
  t.regex(lines[1]!, /^writing +49\.9$/)
  t.regex(lines[2]!, /^deciding +50\.0 {2}target 50 missed$/)
})

test('The cost of events is the median ratio of adjacent turns', (t) => {
  const row = (name: string, cpuMicrosByTurn: number[]) => ({
    ...ROW,
    name,
    connections: 64,
    requestsPerSecond: 500,
    cpuMicrosByTurn,
    deliveriesPerSecond: 1200,
  })
  const rows = [row('request, no events', [400, 800, 400]), row('request, 1000 events/s', [440, 960, 300])]
  t.regex(standingOf(rows), /of one without +1\.100 {2}at most 1\.15: reached$/m)
})
