// Wallet routes and the wallet record.
import { succeed } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { Services } from '../../commands/ports.js'
import {
  createWallet,
  deleteWallet,
  readWallet,
  fundWallet,
  listWallets,
  updateWallet,
} from '../../commands/agents/wallets.js'
import { challengeFor, proveAddress } from '../../commands/agents/addressProof.js'
import { proverOf } from '../../commands/agents/addresses.js'
import { walletStatus } from '../../commands/status.js'
import { toNumber } from '../../domain/values/money.js'
import { CUSTODY_TYPES, ENFORCEMENTS, enforcementOf, WALLET_STATUSES } from '../../domain/parties/wallet.js'
import { page } from '../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../server/respond.js'
import { route } from '../server/route.js'
import {
  addressSchema,
  amountSchema,
  chainId,
  enumOf,
  name,
  opaqueText,
  recordSchema,
  text,
  titled,
} from '../input/schemas.js'

const CHAIN_TYPES = ['EVM', 'SOLANA'] as const

const walletSchema = recordSchema('Wallet', {
  id: v.string(),
  name: v.string(),
  address: v.string(),
  addressProved: v.boolean(),
  walletType: v.string(),
  chainType: v.picklist(CHAIN_TYPES),
  chainId: v.string(),
  custodyType: v.picklist(CUSTODY_TYPES),
  enforcement: v.picklist(ENFORCEMENTS),
  balance: v.number(),
  /** What payments in progress hold of the balance. */
  reserved: v.number(),
  currency: v.string(),
  status: v.picklist(WALLET_STATUSES),
  createdAt: v.string(),
  updatedAt: v.string(),
})

/** `isKeyMade`: the service has just made the address's key, which the keys that are stored do not show yet. */
function walletRecord(
  services: Services,
  actor: Actor<'wallet'>,
  isKeyMade = false,
): v.InferOutput<typeof walletSchema> {
  const { id, organization, fields, balance, held, createdAt, updatedAt } = actor.context
  return {
    id,
    ...fields,
    enforcement: enforcementOf(fields.custodyType),
    addressProved: isKeyMade || proverOf(services, fields.address) === organization,
    balance: toNumber(balance),
    reserved: toNumber(held),
    status: walletStatus(actor),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

const newWallet = v.strictObject({
  name: name(100),
  custodyType: enumOf(CUSTODY_TYPES),
  chainType: v.optional(enumOf(CHAIN_TYPES), 'EVM'),
  chainId: v.optional(chainId()),
  address: v.optional(addressSchema()),
  walletType: v.optional(text(1, 50), 'EOA'),
})

const walletListSchema = recordSchema('WalletList', { wallets: v.array(walletSchema), pagination: paginationSchema })
const single = walletSchema
const write = { key: 'organization', scope: 'wallets:write' } as const
const read = { key: 'organization', scope: 'wallets:read' } as const

const proofSchema = titled(
  'AddressProof',
  v.union([v.object({ challenge: v.string(), expiresAt: v.string() }), v.object({ proved: v.literal(true) })]),
)

export const walletRoutes = [
  route({
    operationId: 'listWallets',
    method: 'GET',
    path: '/api/wallets',
    access: read,
    summary: 'List wallets',
    query: v.strictObject({
      ...page,
      status: v.optional(enumOf(WALLET_STATUSES)),
      chainType: v.optional(enumOf(CHAIN_TYPES)),
      custodyType: v.optional(enumOf(CUSTODY_TYPES)),
      search: v.optional(text(0, 200)),
    }),
    answers: { 200: walletListSchema },
    handler: async ({ services, caller, query }) =>
      pageAnswer('wallets', await listWallets(services, caller, query), query, (actor) =>
        walletRecord(services, actor),
      ),
  }),
  route({
    operationId: 'getWallet',
    method: 'GET',
    path: '/api/wallets/:walletId',
    access: read,
    summary: 'Read a wallet',
    answers: { 200: single },
    handler: async ({ services, caller, params }) => {
      const found = await readWallet(services, caller, params.walletId)
      return found.ok ? ok(walletRecord(services, found.value)) : found
    },
  }),
  route({
    operationId: 'createWallet',
    method: 'POST',
    path: '/api/wallets',
    access: write,
    summary: 'Create a wallet, or return the existing one with this address on this chain',
    body: newWallet,
    answers: {
      201: single,
      200: single,
    },
    refuses: ['WALLET_CONFIG_ERROR', 'INVALID_ADDRESS', 'ALREADY_EXISTS'],
    handler: (call) => {
      let status: 200 | 201 = 201
      return answered(
        call,
        (actor: Actor<'wallet'>) => ok(walletRecord(call.services, actor, call.body.address === undefined), status),
        async (caller) => {
          const made = await createWallet(call.services, caller, call.body)
          if (!made.ok) return made
          if (made.value.existed) status = 200
          return succeed(made.value.wallet)
        },
      )
    },
  }),
  route({
    operationId: 'updateWallet',
    method: 'PATCH',
    path: '/api/wallets/:walletId',
    access: write,
    summary: 'Change a wallet',
    body: v.strictObject({ name: v.optional(name(100)), status: v.optional(enumOf(WALLET_STATUSES)) }),
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'wallet'>) => ok(walletRecord(call.services, actor)),
        (caller) => updateWallet(call.services, caller, call.params.walletId, call.body),
      ),
  }),
  route({
    operationId: 'deleteWallet',
    method: 'DELETE',
    path: '/api/wallets/:walletId',
    access: write,
    summary: 'Remove a wallet and its delegations',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) => answered(call, succeeded, (caller) => deleteWallet(call.services, caller, call.params.walletId)),
  }),
  route({
    operationId: 'fundWallet',
    method: 'POST',
    path: '/api/wallets/:walletId/fund',
    access: write,
    summary: 'Add to the simulated balance',
    body: v.strictObject({ amount: amountSchema() }),
    answers: { 200: single },
    refuses: ['INVALID_STATUS', 'INVALID_AMOUNT'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'wallet'>) => ok(walletRecord(call.services, actor)),
        (caller) => fundWallet(call.services, caller, call.params.walletId, call.body.amount),
      ),
  }),
  route({
    operationId: 'proveWalletAddress',
    method: 'POST',
    path: '/api/wallets/:walletId/proof',
    access: write,
    summary: "Prove that the organization controls the wallet's address: ask for a challenge, then send its signature",
    body: v.strictObject({ signature: v.optional(opaqueText(1, 200)) }),
    bodyOptional: true,
    answers: { 200: proofSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXISTS'],
    handler: async (call) => {
      const id = call.params.walletId
      const { signature } = call.body
      if (signature === undefined) {
        const asked = await challengeFor(call.services, call.caller, id)
        return asked.ok ? ok({ challenge: asked.value.challenge, expiresAt: iso(asked.value.expiresAt) }) : asked
      }
      const proved = () => ok({ proved: true })
      return answered(call, proved, (caller) => proveAddress(call.services, caller, id, signature))
    },
  }),
]
