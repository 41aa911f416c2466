// The conformance cases about natural keys: names, addresses and pairs have one owner.
import { claimOf, createAgent, createDelegation, createWallet, rename, say, setStatus } from './messages.js'
import { NOON, PAIR, pay, world, type Case } from './stage.js'

export const CLAIMS: Case[] = [
  {
    title: 'of two agents that are created concurrently with one name one is refused',
    given: [],
    when: [createAgent(NOON, 'a', 'ada'), createAgent(NOON, 'b', 'ada')],
    answers: { 'registered.active': 1, ALREADY_EXISTS: 1 },
  },
  {
    title: 'an agent cannot take the name of another and keeps its own',
    given: [createAgent(NOON, 'a', 'ada'), createAgent(NOON, 'b', 'ben'), rename(NOON, 'b', 'ada', 'once')],
    when: [createAgent(NOON, 'c', 'ben')],
    answers: { ALREADY_EXISTS: 1 },
    states: { 'agent/b': 'registered.active' },
    fields: { 'agent/b': { name: 'ben' }, 'claim/o.name.ada': { owner: 'a.created' } },
  },
  {
    title: 'the old name of a renamed agent and the name of a deleted one are free',
    given: [
      createAgent(NOON, 'a', 'ada'),
      rename(NOON, 'a', 'ann', 'once'),
      createAgent(NOON, 'b', 'ben'),
      say('DELETE', 'agent/b', NOON),
    ],
    when: [createAgent(NOON, 'c', 'ada'), createAgent(NOON, 'd', 'ben')],
    answers: { 'registered.active': 2 },
    states: { 'agent/b': 'deleted' },
  },
  {
    title: 'an agent that is renamed twice to the same name still owns it',
    given: [createAgent(NOON, 'a', 'ada'), rename(NOON, 'a', 'ann', 'once'), rename(NOON, 'a', 'ann', 'twice')],
    when: [createAgent(NOON, 'b', 'ann')],
    answers: { ALREADY_EXISTS: 1 },
    fields: { 'agent/a': { name: 'ann', gates: [claimOf('o', 'name.ann', 'a.once')] } },
  },
  {
    title: 'a paused agent is still paused after it is renamed',
    given: [createAgent(NOON, 'a', 'ada'), setStatus(NOON, 'a', 'PAUSE')],
    when: [rename(NOON, 'a', 'ann', 'once')],
    answers: { 'registered.paused': 1 },
  },
  {
    title: 'an address has one wallet until that wallet is deleted',
    given: [createWallet(NOON, 'w', '0x1'), createWallet(NOON, 'refused', '0x1'), say('DELETE', 'wallet/w', NOON)],
    when: [createWallet(NOON, 'v', '0x1')],
    answers: { 'kept.active': 1 },
    states: { 'wallet/refused': 'rejected', 'wallet/w': 'deleted' },
  },
  {
    title: 'a wallet with a reservation cannot be deleted',
    given: [...world(), pay('p', 10)],
    when: [say('DELETE', 'wallet/w', NOON)],
    answers: { INVALID_STATUS: 1 },
    states: { 'wallet/w': 'kept.active' },
  },
  {
    title: 'an agent and a wallet have one delegation until it is revoked',
    given: [...world(), createDelegation(NOON, 'refused', PAIR, {}), say('REVOKE', 'delegation/d', NOON)],
    when: [createDelegation(NOON, 'e', PAIR, {})],
    answers: { active: 1 },
    states: { 'delegation/refused': 'rejected', 'delegation/d': 'revoked' },
  },
  {
    title: 'two organizations can have agents of the same name',
    given: [createAgent(NOON, 'a', 'ada')],
    when: [createAgent({ ...NOON, organization: 'other' }, 'b', 'ada')],
    answers: { 'registered.active': 1 },
  },
]
