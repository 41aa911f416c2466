// URLs as they may be shown and kept: values in a query or fragment may be secrets.

/** The URL with every value of its query, and its fragment, replaced by REDACTED. */
export function redactedUrl(url: string): string {
  const [rest = '', ...fragment] = url.split('#')
  const [path = '', ...query] = rest.split('?')
  const parts = query.join('?').split('&')
  const shown = parts.map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=REDACTED` : 'REDACTED'))
  return path + (query.length > 0 ? `?${shown.join('&')}` : '') + (fragment.length > 0 ? '#REDACTED' : '')
}
