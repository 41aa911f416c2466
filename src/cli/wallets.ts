// bursar wallets: lists and creates wallets, and funds them in simulation.
import type { BursarAdmin, Wallet } from '../../sdk/index.js'
import { CUSTODY_TYPES } from '../domain/parties/wallet.js'
import { choice } from './terminal/arguments.js'
import { asking, type Shown } from './terminal/asking.js'
import { idNamed, printedList } from './terminal/listed.js'
import { record, type Columns } from './terminal/show.js'

const CHAINS = ['EVM', 'SOLANA'] as const
const COLUMNS: Columns<Wallet> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  BALANCE: ({ balance, currency }) => `${balance} ${currency}`,
  CUSTODY: ({ custodyType }) => custodyType,
  ENFORCEMENT: ({ enforcement }) => enforcement,
  CHAIN: ({ chainType, chainId }) => `${chainType} ${chainId}`,
  STATUS: ({ status }) => status,
  PROVED: ({ addressProved }) => (addressProved ? 'yes' : 'no'),
  ADDRESS: ({ address }) => address,
}

const shown = (wallet: Wallet): Shown => ({
  json: wallet,
  lines: (style) => {
    const { id, name, address, balance, currency, custodyType, enforcement, chainType, chainId, status } = wallet
    const chain = `${chainType} ${chainId}`
    const proved = { 'address proved': wallet.addressProved ? 'yes' : 'no' }
    const funds = { balance: `${balance} ${currency}`, custody: custodyType, enforcement }
    return record({ id, name, address, ...proved, ...funds, chain, status }, style)
  },
})

type Proof = Awaited<ReturnType<BursarAdmin['wallets']['prove']>>

/** The challenge has lines of its own, which are signed as they are. */
function linesOf(answer: Proof): string[] {
  if ('proved' in answer) return ["The address is the organization's"]
  const { challenge, expiresAt } = answer
  return [`Sign this text (EIP-191) until ${expiresAt}:`, '', ...challenge.split('\n')]
}

export const walletCommands = {
  'wallets list': asking({
    usage: 'wallets list [--limit N]',
    summary: 'list wallets and their balances',
    run: async (asking) => printedList(asking, asking.bursar.wallets.list(), COLUMNS),
  }),
  'wallets create': asking({
    usage: 'wallets create NAME [--custody TYPE] [--chain EVM|SOLANA] [--chain-id ID] [--address ADDRESS]',
    summary: `create a wallet; TYPE is one of ${CUSTODY_TYPES.join(', ')}; EXTERNAL and SMART_CONTRACT need --address`,
    run: async ({ bursar, words: [name], text }) => {
      const custodyType = choice('--custody', CUSTODY_TYPES, text('custody')) ?? 'MANAGED'
      const chainType = choice('--chain', CHAINS, text('chain'))
      const place = { chainType, chainId: text('chain-id'), address: text('address') }
      return shown(await bursar.wallets.create({ name: name!, custodyType, ...place }))
    },
  }),
  'wallets prove': asking({
    usage: 'wallets prove WALLET [SIGNATURE]',
    summary: "show a challenge; with its signature, prove that the wallet's address is the organization's",
    run: async ({ bursar, words: [wallet, signature] }) => {
      const walletId = await idNamed(wallet!, () => bursar.wallets.list())
      if (signature === undefined && (await bursar.wallets.get(walletId)).addressProved) {
        return { json: { proved: true }, lines: () => ["The address is proved already: it is the organization's"] }
      }
      const answer = await bursar.wallets.prove(walletId, signature === undefined ? {} : { signature })
      return { json: answer, lines: () => linesOf(answer) }
    },
  }),
  'wallets fund': asking({
    usage: 'wallets fund WALLET AMOUNT',
    summary: "add to a wallet's simulated balance",
    run: async ({ bursar, words }) => {
      const walletId = await idNamed(words[0]!, () => bursar.wallets.list())
      return shown(await bursar.wallets.fund(walletId, words[1]!))
    },
  }),
}
