// Where an error of the service is shown: at the field of its path, or at the one closest around it, as that of an entry
// is at its list.

/** Undefined where no field is at the path or around it. */
export function nearestField(path: string, fields: readonly string[]): string | undefined {
  const around = fields.filter((field) => path === field || path.startsWith(`${field}.`))
  return around.toSorted((one, other) => other.length - one.length)[0]
}
