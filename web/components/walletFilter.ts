// The filter of a list by wallet.
import { api, unlessRemoved } from '../api.js'
import { short } from '../format/words.js'
import { useLoad } from '../load.js'
import type { FilterRow } from './filter.js'

const NEWEST = 100

/** Offers the newest wallets and that of the address, which has its shortened id as label while its name is not known. */
export function useWalletFilter(chosen = ''): FilterRow {
  const offered = useLoad(() => api.call('GET /api/wallets', { query: { limit: NEWEST } }), [])
  const { wallets = [], pagination } = offered.data ?? {}
  const isListed = chosen === '' || wallets.some(({ id }) => id === chosen)
  const missing = isListed || offered.data === undefined ? undefined : chosen
  const found = useLoad(async () => missing && (await nameOf(missing)), [missing])
  const other = isListed ? [] : [[chosen, found.data ?? short(chosen)] as const]
  const label = (pagination?.total ?? 0) > wallets.length ? `Wallet (the newest ${wallets.length})` : 'Wallet'
  return {
    label,
    name: 'wallet',
    options: [...other, ...wallets.map(({ id, name }) => [id, name] as const)],
    more: true,
  }
}

async function nameOf(walletId: string): Promise<string> {
  const wallet = await unlessRemoved(api.call('GET /api/wallets/{walletId}', { path: { walletId } }))
  return wallet?.name ?? 'a removed wallet'
}
