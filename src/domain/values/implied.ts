// Values that need not be written, because they are as in everything else of their sort.

/** True for the same plain value, and for two empty lists. Objects and other lists are always written. */
export function isImplied(value: unknown, implied: unknown): boolean {
  return value === implied || (isEmptyList(value) && isEmptyList(implied))
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
