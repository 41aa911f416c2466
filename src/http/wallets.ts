// Wallets over HTTP.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import type { Services } from '../commands/ports.js'
import { createWallet, findWallet, fundWallet, walletContext, walletStatus } from '../commands/wallets.js'
import type { Json } from '../domain/canonical.js'
import { toNumber } from '../domain/money.js'
import { CUSTODY_TYPES } from '../domain/wallet.js'
import { answered, iso, ok, reader } from './respond.js'
import { route, type Route } from './route.js'
import { address, amount, chainId, enumOf, text } from './schemas.js'

const CHAIN_TYPES = ['EVM', 'SOLANA'] as const

export const walletSchema = v.object({
  id: v.string(),
  name: v.string(),
  address: v.string(),
  walletType: v.string(),
  chainType: v.picklist(CHAIN_TYPES),
  chainId: v.string(),
  custodyType: v.picklist(CUSTODY_TYPES),
  balance: v.number(),
  currency: v.string(),
  status: v.picklist(['ACTIVE', 'FROZEN', 'ARCHIVED']),
  createdAt: v.string(),
  updatedAt: v.string(),
})

export function walletRecord(actor: Actor): { [field: string]: Json } {
  const { id, fields, balance, createdAt, updatedAt } = walletContext(actor)
  return {
    id,
    ...fields,
    balance: toNumber(balance),
    status: walletStatus(actor),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

const newWallet = v.strictObject({
  name: text(1, 100),
  custodyType: enumOf(CUSTODY_TYPES),
  chainType: v.optional(enumOf(CHAIN_TYPES), 'EVM'),
  chainId: v.optional(chainId()),
  address: v.optional(address()),
  walletType: v.optional(text(1, 50), 'EOA'),
})

export function walletRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/wallets',
      access: { key: 'organization', scope: 'wallets:write' },
      summary: 'Create a wallet, or meet the one that has this address on this chain',
      body: newWallet,
      answers: {
        201: { name: 'Wallet', schema: walletSchema },
        200: { name: 'Wallet', schema: walletSchema },
      },
      handler: (call) => {
        let status = 201
        return answered(call, (actor) => ok(walletRecord(actor), status), async (caller) => {
          const made = await createWallet(services, caller, call.body)
          if (made.ok && made.existed) status = 200
          return made
        })
      },
    }),
    route({
      method: 'GET',
      path: '/api/wallets/:walletId',
      access: { key: 'organization', scope: 'wallets:read' },
      summary: 'Read a wallet',
      answers: { 200: { name: 'Wallet', schema: walletSchema } },
      handler: async (call) => {
        const found = await findWallet(services, reader(call), call.params['walletId']!)
        return found.ok ? ok(walletRecord(found.actor)) : found
      },
    }),
    route({
      method: 'POST',
      path: '/api/wallets/:walletId/fund',
      access: { key: 'organization', scope: 'wallets:write' },
      summary: 'Add to the simulated balance',
      body: v.strictObject({ amount: amount() }),
      answers: { 200: { name: 'Wallet', schema: walletSchema } },
      handler: (call) =>
        answered(call, (actor) => ok(walletRecord(actor)), (caller) =>
          fundWallet(services, caller, call.params['walletId']!, call.body.amount),
        ),
    }),
  ]
}
