// The scopes of each preset, written out from the specification.
import test from 'ava'
import { PRESETS, type ScopePreset } from '../../src/domain/access/scopes.js'

const STANDARD = ['agents', 'alerts', 'counterparties', 'policies', 'wallets']
const OTHERS = ['approvals', 'audit', 'cards', 'channels', 'keys', 'organization', 'transactions', 'webhooks']

/** The nouns that each may write; all may read everything. */
const WRITES: Record<ScopePreset, string[]> = {
  READ_ONLY: [],
  STANDARD,
  ADMIN: [...STANDARD, ...OTHERS],
}

for (const [preset, writes] of Object.entries(WRITES)) {
  test(`${preset} has exactly the scopes of the specification`, (t) => {
    const reads = WRITES.ADMIN.map((noun) => `${noun}:read`)
    const expected = [...reads, ...writes.map((noun) => `${noun}:write`)]
    t.deepEqual([...PRESETS[preset as ScopePreset]].sort(), expected.sort())
  })
}
