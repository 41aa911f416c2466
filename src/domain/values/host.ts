// Host names as payments and rules compare them: lower case, punycode, without port and trailing dot.

const LONGEST = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The host of an http or https URL; undefined for any other text. */
export function hostIn(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined
  const host = parsed.hostname.replace(/\.$/, '')
  // An empty label would be another name for the same host.
  return host.length <= LONGEST && !host.split('.').includes('') ? host : undefined
}

/** A host name, or `*.` and a domain; undefined for any other text. An IP address covers nothing below it. */
export function scopeIn(text: string): string | undefined {
  const [, wild = '', name = ''] = /^(\*\.)?([^*/:@?#\s]+)$/.exec(text) ?? []
  const host = name === '' ? undefined : hostIn(`http://${name}/`)
  if (host === undefined || !host.split('.').every((label) => LABEL.test(label))) return undefined
  return wild !== '' && /^[0-9.]+$/.test(host) ? undefined : `${wild}${host}`
}
