// Forbidden destinations of events: every spelling of a private or special address that a URL parser accepts, and
// addresses that only look public.
import test from 'ava'
import {
  allowedAddress,
  isLoopback,
  isPublicAddress,
  refuseDestination,
  refuseSlackAnswer,
} from '../../src/webhooks/destination.js'

const SPELLINGS = [
  // http, other schemes, no URL at all
  ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,x'],
  [
    'gopher://example.com',
    'ws://example.com',
    '//example.com',
    'example.com',
    '',
    'https://',
    'https:///',
    'https://?',
  ],
  // a port that nobody listens at
  ['https://example.com:0', 'https://8.8.8.8:0/', 'https://example.com:00000'],
  // loopback by name
  ['https://localhost', 'https://LOCALHOST', 'https://localhost.', 'https://a.localhost', 'https://localhost:8443'],
  ['https://ip6-localhost', 'https://localhost.localdomain', 'https://loc%61lhost', 'https://ⓛocalhost'],
  // 127.0.0.1 in every spelling
  ['https://127.0.0.1', 'https://127.0.0.1.', 'https://127.1', 'https://127.0.1', 'https://127.255.255.254'],
  ['https://2130706433', 'https://0x7f000001', 'https://0x7f.1', 'https://0x7F.0x0.0x0.0x1', 'https://017700000001'],
  ['https://0177.0.0.1', 'https://0177.1', 'https://127.0.0.0x1', 'https://127.0x0.1', 'https://１２７.0.0.1'],
  ['https://127。0。0。1', 'https://%31%32%37.0.0.1', 'https://①②⑦.⓪.⓪.①', 'https://0000177.0.0.1'],
  // nothing, this network, broadcast, multicast, reserved
  ['https://0', 'https://0.0.0.0', 'https://0x0', 'https://00', 'https://0.1.2.3', 'https://255.255.255.255'],
  ['https://224.0.0.1', 'https://239.255.255.255', 'https://240.0.0.1', 'https://4294967295'],
  // private networks, link-local, cloud metadata, carriers, documentation and benchmarks
  ['https://10.0.0.1', 'https://10.255.255.255', 'https://167772161', 'https://0xa000001', 'https://012.0.0.1'],
  ['https://172.16.0.1', 'https://172.31.255.255', 'https://192.168.0.1', 'https://192.168.257', 'https://3232235521'],
  ['https://169.254.169.254', 'https://2852039166', 'https://0xA9FEA9FE', 'https://0251.0376.0251.0376'],
  ['https://169.254.43518', 'https://100.64.0.1', 'https://100.127.255.255', 'https://100.100.100.200'],
  ['https://168.63.129.16'],
  ['https://192.0.0.1', 'https://192.0.2.1', 'https://198.18.0.1', 'https://198.51.100.1', 'https://203.0.113.9'],
  // IPv6, and IPv4 embedded in it
  ['https://[::1]', 'https://[::]', 'https://[0:0:0:0:0:0:0:1]', 'https://[0000::0001]', 'https://[::127.0.0.1]'],
  ['https://[::ffff:127.0.0.1]', 'https://[::ffff:7f00:1]', 'https://[::ffff:10.0.0.1]', 'https://[::ffff:8.8.8.8]'],
  ['https://[64:ff9b::127.0.0.1]', 'https://[64:ff9b:1::1]', 'https://[2002:7f00:1::]', 'https://[2002:a00:1::1]'],
  ['https://[2001::1]', 'https://[2001:db8::1]', 'https://[fc00::1]', 'https://[fd12:3456::1]', 'https://[fe80::1]'],
  ['https://[fec0::1]', 'https://[ff02::1]', 'https://[100::1]', 'https://[3fff::1]', 'https://[fe80::1%25eth0]'],
  // names that are not public, user information
  [
    'https://intranet',
    'https://metadata',
    'https://db.internal',
    'https://metadata.google.internal',
    'https://nas.local',
  ],
  ['https://a.test', 'https://b.invalid', 'https://c.example', 'https://d.lan', 'https://1.0.0.127.in-addr.arpa'],
  ['https://localhost../', 'https://a..b/', 'https://.example.com', 'https://example.com..', 'https://192.88.99.1'],
  ['https://router.home.arpa', 'https://abc.onion', 'https://printer.LOCAL.', 'https://user@example.com'],
  ['https://user:secret@example.com', 'https://example.com@127.0.0.1', 'https://example.com:x@10.0.0.1'],
].flat()

test('there are at least sixty spellings', (t) => {
  t.true(new Set(SPELLINGS).size >= 60, String(SPELLINGS.length))
})

for (const spelling of new Set(SPELLINGS)) {
  test(`${JSON.stringify(spelling)} is refused at configuration`, (t) => {
    t.is(typeof refuseDestination(spelling), 'string')
  })
}

for (const url of [
  'https://example.com/in',
  'https://8.8.8.8',
  'https://[2606:4700::1111]:8443/x?y=1',
  'https://EXAMPLE.com.',
]) {
  test(`${url} is accepted`, (t) => {
    t.is(refuseDestination(url), undefined)
  })
}

const NOT_ADDRESSES = ['', 'localhost', 'example.com', '127.1', '1.2.3.4.5', 'fe80::1%eth0', '2606:4700::1111%eth0']

for (const address of NOT_ADDRESSES) {
  test(`${JSON.stringify(address)} is not a public address`, (t) => {
    t.false(isPublicAddress(address))
    t.false(allowedAddress(address, true))
  })
}

test('in development this machine is permitted, and nothing else that is private', (t) => {
  const taken = [
    'http://127.0.0.1:9',
    'http://localhost',
    'https://localhost',
    'http://[::1]:80',
    'https://example.com',
  ]
  for (const url of taken) t.is(refuseDestination(url, true), undefined, url)
  for (const url of [
    'http://example.com',
    'http://8.8.8.8',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'ftp://localhost',
    'http://u@localhost',
    'http://localhost:0',
    'http://[fe80::1]',
  ]) {
    t.is(typeof refuseDestination(url, true), 'string', url)
  }
  t.true(allowedAddress('127.0.0.1', true) && isLoopback('127.9.9.9') && isLoopback('::1'))
  t.false(allowedAddress('127.0.0.1', false) || allowedAddress('10.0.0.1', true) || isLoopback('8.8.8.8'))
})

test('answers to presses go to Slack alone, but in development', (t) => {
  t.is(refuseSlackAnswer('https://hooks.slack.com/actions/T/1/x', false), undefined)
  for (const url of ['https://hooks.slack.com.evil.zz/', 'https://hooks.slack.com@evil.zz/', 'https://bursar.zz/'])
    t.regex(refuseSlackAnswer(url, false)!, /hooks\.slack\.com/, url)
  t.is(refuseSlackAnswer('http://127.0.0.1:9/answer', true), undefined)
  t.truthy(refuseSlackAnswer('https://10.0.0.1/', true))
})
