// The properties of each field for a rule's value, and how it reads the value, which may be anything, because input is
// kept as it was typed.
export interface ValueProps {
  /** The path of the value in the body: `rules.0.value`. */
  path: string
  value: unknown
  onValue: (value: unknown) => void
  /** The rule type's label for the value. */
  label: string
}

export type Values = { [field: string]: unknown }

/** The list with another entry at a position, or without it. */
export const put = <T>(list: readonly T[], at: number, entry: T): T[] =>
  list.map((one, index) => (index === at ? entry : one))
export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at)

export const record = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {})
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
