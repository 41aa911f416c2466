// The kinds of actors, as types alone: machines/index.ts adds its kinds here, so that whoever reads an actor knows what
// its context has, and nothing in the domain or the kernel names a kind.

/** The contexts of actors by kind. */
// oxlint-disable-next-line no-empty-interface
export interface Contexts {}
export type Kind = keyof Contexts

/** What every actor has. */
export interface AnyContext {
  organization: string
  /** Its order by creation, in microseconds; absent from kinds that are in no list. */
  order?: number
}

export type ContextOf<K extends string> = K extends Kind ? Contexts[K] : AnyContext
