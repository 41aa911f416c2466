// Rules about the recipient and the category of a payment.
import type { Facts } from '../../../rules/facts.js'
import { parseAddress } from '../../../src/domain/values/address.js'
import { RECIPIENT, SOLANA, STRANGER } from '../policies.js'
import type { Table } from './table.js'

const categories = (category: string, counterpartyCategory = 'OTHER'): Facts => ({ category, counterpartyCategory })
const recipient = (address: string): Facts => ({ recipient: parseAddress(address)!.canonical })

export const PARTIES: Table[] = [
  {
    rule: { ruleType: 'ALLOWED_CATEGORIES', value: ['cloud', 'Café'] },
    cases: [
      [categories('CLOUD'), 'APPROVED', "The payment's category CLOUD is one of CLOUD, CAFÉ"],
      [categories('CAFÉ'), 'APPROVED', "The payment's category CAFÉ is one of CLOUD, CAFÉ"],
      [categories('CLOUD', 'CLOUD'), 'APPROVED', "The payment's category CLOUD is one of CLOUD, CAFÉ"],
      [categories('TOOLS'), 'CATEGORY_RESTRICTION', "The payment's category TOOLS is not one of CLOUD, CAFÉ"],
      [
        categories('CLOUD', 'VENDOR'),
        'CATEGORY_RESTRICTION',
        "The counterparty's category VENDOR is not one of CLOUD, CAFÉ",
      ],
      [categories(''), 'CATEGORY_RESTRICTION', 'The payment names no category, as a rule about CLOUD, CAFÉ needs'],
      [categories('OTHER'), 'CATEGORY_RESTRICTION', "The payment's category OTHER is not one of CLOUD, CAFÉ"],
    ],
  },
  {
    rule: { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'], action: 'REQUIRE_APPROVAL' },
    cases: [
      [categories('CLOUD'), 'REQUIRES_APPROVAL', "The payment's category CLOUD is one of CLOUD"],
      [categories('TOOLS'), 'APPROVED', "The payment's category TOOLS is not one of CLOUD"],
      [categories('TOOLS', 'CLOUD'), 'REQUIRES_APPROVAL', "The counterparty's category CLOUD is one of CLOUD"],
      // A rule that objects cannot be avoided by omitting the category.
      [categories(''), 'REQUIRES_APPROVAL', 'The payment names no category, as a rule about CLOUD needs'],
    ],
  },
  {
    rule: { ruleType: 'BLOCKED_CATEGORIES', value: ['Gambling', 'other'] },
    cases: [
      [categories('CLOUD'), 'APPROVED', "The payment's category CLOUD is not one of GAMBLING, OTHER"],
      [categories('GAMBLING'), 'CATEGORY_RESTRICTION', "The payment's category GAMBLING is one of GAMBLING, OTHER"],
      [categories('OTHER'), 'CATEGORY_RESTRICTION', "The payment's category OTHER is one of GAMBLING, OTHER"],
      [
        categories('CLOUD', 'GAMBLING'),
        'CATEGORY_RESTRICTION',
        "The counterparty's category GAMBLING is one of GAMBLING, OTHER",
      ],
      [categories(''), 'CATEGORY_RESTRICTION', 'The payment names no category, as a rule about GAMBLING, OTHER needs'],
    ],
  },
  {
    rule: { ruleType: 'BLOCKED_CATEGORIES', value: ['other'] },
    cases: [[categories('CLOUD'), 'APPROVED', "The payment's category CLOUD is not one of OTHER"]],
  },
  {
    rule: { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT.toLowerCase(), SOLANA] },
    cases: [
      [recipient(RECIPIENT), 'APPROVED', 'The recipient is on the list of counterparties'],
      [recipient(SOLANA), 'APPROVED', 'The recipient is on the list of counterparties'],
      [recipient(STRANGER), 'WHITELIST_VIOLATION', 'The recipient is not on the list of counterparties'],
    ],
  },
  {
    rule: { ruleType: 'BLOCKED_COUNTERPARTIES', value: [RECIPIENT] },
    cases: [
      [recipient(STRANGER), 'APPROVED', 'The recipient is not on the list of blocked counterparties'],
      [recipient(RECIPIENT), 'BLOCKED_COUNTERPARTY', 'The recipient is on the list of blocked counterparties'],
    ],
  },
  {
    rule: { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT] },
    cases: [
      [recipient(RECIPIENT), 'APPROVED', 'The recipient is on the list of contracts'],
      [recipient(STRANGER), 'CONTRACT_NOT_ALLOWED', 'The recipient is not on the list of contracts'],
    ],
  },
  {
    rule: { ruleType: 'COUNTERPARTY_STATUS', operator: 'EQUALS', value: 'TRUSTED' },
    cases: [
      [{ counterpartyStatus: 'TRUSTED' }, 'APPROVED', 'The counterparty is TRUSTED'],
      [{ counterpartyStatus: 'VERIFIED' }, 'COUNTERPARTY_STATUS', 'The counterparty is VERIFIED, not TRUSTED'],
    ],
  },
  {
    rule: { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'VERIFIED'] },
    cases: [
      [{ counterpartyStatus: 'VERIFIED' }, 'APPROVED', 'The counterparty is VERIFIED'],
      [
        { counterpartyStatus: 'UNKNOWN' },
        'COUNTERPARTY_STATUS',
        'The counterparty is UNKNOWN, not TRUSTED or VERIFIED',
      ],
    ],
  },
  {
    rule: { ruleType: 'TRUST_SCORE', value: 50 },
    cases: [
      [{ trustScore: 100 }, 'APPROVED', 'The trust score 100 is at least 50'],
      [{ trustScore: 50 }, 'APPROVED', 'The trust score 50 is at least 50'],
      [{ trustScore: 49 }, 'TRUST_SCORE', 'The trust score 49 is below 50'],
    ],
  },
  {
    rule: { ruleType: 'NEW_COUNTERPARTY', value: true },
    cases: [
      [{ newCounterparty: false }, 'APPROVED', 'The recipient was paid before'],
      [{ newCounterparty: true }, 'REQUIRES_APPROVAL', 'The recipient was never paid before'],
    ],
  },
  {
    rule: { ruleType: 'NEW_COUNTERPARTY', value: true, action: 'DENY' },
    cases: [
      [{ newCounterparty: false }, 'APPROVED', 'The recipient was paid before'],
      [{ newCounterparty: true }, 'COUNTERPARTY_STATUS', 'The recipient was never paid before'],
    ],
  },
]
