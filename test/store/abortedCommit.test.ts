// Commits that LMDB aborts: handed over again, but not for ever.
import test from 'ava'
import { retried } from '../../src/store/abortedCommit.js'

const BAD_TXN = -30782
const MAP_FULL = -30792

/** Rejects as lmdb does: the cause comes through a separate promise. */
function refusal(code: number): Error {
  return Object.assign(new Error('Commit failed'), {
    commitError: Promise.reject(Object.assign(new Error('Transaction must abort'), { code })),
  })
}

/** Fails with these codes, one after the other, then succeeds. */
function failing(codes: number[]) {
  let tries = 0
  const commit = async (): Promise<string> => {
    const code = codes[tries++]
    if (code !== undefined) throw refusal(code)
    return 'written'
  }
  return { commit, tries: () => tries }
}

test('a commit that LMDB aborted is handed over again', async (t) => {
  const { commit, tries } = failing([BAD_TXN, BAD_TXN, BAD_TXN])
  t.is(await retried(commit), 'written')
  t.is(tries(), 4)
})

test('a commit that LMDB aborts repeatedly fails', async (t) => {
  const { commit, tries } = failing([BAD_TXN, BAD_TXN, BAD_TXN, BAD_TXN, BAD_TXN])
  await t.throwsAsync(retried(commit), { code: BAD_TXN })
  t.is(tries(), 4)
})

test('a commit that failed for another reason is not tried again', async (t) => {
  const { commit, tries } = failing([MAP_FULL])
  await t.throwsAsync(retried(commit), { code: MAP_FULL })
  t.is(tries(), 1)
})

test('an error without a cause is thrown itself', async (t) => {
  await t.throwsAsync(
    retried(() => Promise.reject(new Error('No space'))),
    { message: 'No space' },
  )
})
