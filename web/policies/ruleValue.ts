// What each field of a rule's value is given, and how it reads the value: anything may be there, because what is typed
// is kept as it was typed.
export interface ValueProps {
  /** Where the value stands in the body: `rules.0.value`. */
  path: string
  value: unknown
  onValue: (value: unknown) => void
  /** Of the rule type: what the value says. */
  label: string
}

export type Values = { [field: string]: unknown }

export const record = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {})
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
