// Which errors are the machine's, as Node and LMDB report them.
import { constants } from 'node:os'
import test from 'ava'
import { isDiskFailure, isExhausted, systemMessage } from '../../src/store/folder/systemErrors.js'

const { EACCES, EINVAL, EMFILE, ENFILE, ENOSPC } = constants.errno
const error = (message: string, code?: unknown): Error => Object.assign(new Error(message), { code })

const CASES: [string, unknown, { disk: boolean; exhausted: boolean; said: string | undefined }][] = [
  [
    "Node's",
    error('ENOSPC: no space, write', 'ENOSPC'),
    { disk: true, exhausted: false, said: 'ENOSPC: no space, write' },
  ],
  ["LMDB's", error('No space left', ENOSPC), { disk: true, exhausted: false, said: 'ENOSPC: No space left' }],
  [
    'a panic of LMDB',
    error('Invalid argument: MDB_PANIC: Update failed', EINVAL),
    { disk: true, exhausted: false, said: 'MDB_PANIC: Invalid argument: MDB_PANIC: Update failed' },
  ],
  [
    'one in a cause',
    new Error('x', { cause: error('too many', EMFILE) }),
    { disk: false, exhausted: true, said: 'EMFILE: too many' },
  ],
  [
    'one of permissions',
    error('Permission denied', EACCES),
    { disk: false, exhausted: false, said: 'EACCES: Permission denied' },
  ],
  ['a timeout', new DOMException('late', 'TimeoutError'), { disk: false, exhausted: false, said: undefined }],
  ['a bug', new TypeError('x is undefined'), { disk: false, exhausted: false, said: undefined }],
  ['no error', 'ENOSPC', { disk: false, exhausted: false, said: undefined }],
]

for (const [what, found, expected] of CASES) {
  test(`${what} is told for what it is`, (t) => {
    t.deepEqual({ disk: isDiskFailure(found), exhausted: isExhausted(found), said: systemMessage(found) }, expected)
  })
}

test('the number of the timeout above is that of an error of the system', (t) => {
  t.is(new DOMException('', 'TimeoutError').code, ENFILE)
})
