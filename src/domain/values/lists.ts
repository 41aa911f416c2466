// Names of lists and look-ups. A name carries the kinds of the actors found under it; only the chart of a kind, or the
// domain where several kinds share a list, makes one.
declare const found: unique symbol

/** The name of a list of actors. */
export type List<K extends string = string> = string & { readonly [found]: K }

/** The name of at most one actor. */
export type LookUp<K extends string = string> = string & { readonly [found]: K }

/** Where an actor is found. */
export interface Listing {
  /** By creation. */
  lists: readonly List[]
  /** By execution, at `executedAt` (epoch ms). */
  transactions: readonly List[]
  executedAt: number | null
  lookups: readonly LookUp[]
}

export const NOWHERE: Listing = { lists: [], transactions: [], executedAt: null, lookups: [] }

export function listOf<K extends string>(name: string): List<K> {
  return name as List<K>
}

/** Marks the names of long lists. Their names are short, because most keys of the store begin with them. */
const LONG = '~'

/** A list that grows with every payment. It is counted when somebody asks for its size, and holds payments alone. */
export function longListOf(name: string): List<'payment'> {
  return listOf(LONG + name)
}

export function isLong(list: string): boolean {
  return list.startsWith(LONG)
}

export function lookUpOf<K extends string>(name: string): LookUp<K> {
  return name as LookUp<K>
}

/** Found in these lists alone. */
export function listed(...lists: List[]): Listing {
  return { ...NOWHERE, lists }
}

/** A list, or what of it is in a state with this name. */
export function sublist<K extends string>(list: List<K>, name: string | undefined): List<K> {
  return name === undefined ? list : listOf(`${list}.${name}`)
}
