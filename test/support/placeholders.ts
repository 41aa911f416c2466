// What a client of MCP puts in place of the placeholders of its configuration: `${name}`, `${name:-default}`, and
// `${env:name}`, `${input:name}` or `${user_config.name}`.

/** The text with these values; throws where one is missing. */
export function filled(text: string, values: { [name: string]: string }): string {
  return text.replace(
    /\$\{(?:env:|input:|user_config\.)?(\w+)(?::-([^}]*))?\}/g,
    (placeholder, name: string, other) => {
      const value = values[name] ?? (other as string | undefined)
      if (value === undefined) throw new Error(`Nothing is said of ${placeholder}`)
      return value
    },
  )
}
