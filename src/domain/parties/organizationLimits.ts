// How many records an organization may keep, as its operator has set it.

export const LIMITED = ['payments', 'agents', 'policies', 'counterparties'] as const
export type Limited = (typeof LIMITED)[number]

/** Null where there is no limit. */
export type OrganizationLimits = Record<Limited, number | null>

/** By the kind of actor. */
export const LIMITED_KINDS: { readonly [kind: string]: Limited } = {
  payment: 'payments',
  agent: 'agents',
  policy: 'policies',
  counterparty: 'counterparties',
}
