// Bursar's logo.
const LETTER =
  'M11 8h6.5a4.2 4.2 0 0 1 2.4 7.6A4.6 4.6 0 0 1 18 24h-7z' +
  'm3 2.8v3.6h3.2a1.8 1.8 0 0 0 0-3.6zm0 6.3v4.1h3.7a2 2 0 0 0 0-4.1z'

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d={LETTER} />
    </svg>
  )
}
