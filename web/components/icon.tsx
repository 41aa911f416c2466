// The dashboard's icons: lines on a 24 grid, in the colour of the text. They are decorative; text beside them has the
// meaning.
const PATHS = {
  overview: 'M4 13h6V4H4zm0 7h6v-4H4zm10 0h6v-9h-6zm0-16v4h6V4z',
  attention: 'M4 4v17M4 5h13l-2.5 4.5L17 14H4',
  approvals: 'M9 12l2 2 4-4m6 2a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  alerts: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zm4 4.5a2.2 2.2 0 0 0 4 0M12 5V3',
  payments: 'M3 10h18M7 15h3m-5 4h14a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2z',
  agents:
    'M9 4.5V3m6 1.5V3M6 8h12a1 1 0 0 1 1 1v9a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V9a1 1 0 0 1 1-1zm3.5 5.5h.01m4.99 0h.01M9.5 17h5M2.5 13v3m19-3v3M12 8V5',
  wallets: 'M20 8V6a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h14a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H5a2 2 0 0 1-2-2V7m13.5 7h.01',
  cards: 'M3 9h18M6 15h4m-5 4h14a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2zm11-4h2',
  policies: 'M12 3l7 3v5.5c0 4.3-2.9 7.7-7 9.5-4.1-1.8-7-5.2-7-9.5V6zm-3 9l2 2 4-4',
  counterparties:
    'M16 20v-1.5a3.5 3.5 0 0 0-3.5-3.5h-5A3.5 3.5 0 0 0 4 18.5V20m6-8.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm10 8.5v-1.5a3.5 3.5 0 0 0-2.6-3.4M15.5 4.7a3.5 3.5 0 0 1 0 6.7',
  services: 'M4 5h16v5H4zm0 9h16v5H4zm3.5-6.5h.01m-.01 9h.01',
  audit: 'M8 7h8m-8 4h8m-8 4h5M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z',
  webhooks: 'M12 9.5a3 3 0 1 0-3-3c0 1 .5 2 1.3 2.5L7 15.5m-2 4.5a3 3 0 1 1 2.9-3.8H16m.5 3.6a3 3 0 1 0-1.1-5.6L12.5 8',
  channels: 'M4 10v4h3l6 4V6L7 10zm12-1.5a4.5 4.5 0 0 1 0 7m2.5-9.5a8 8 0 0 1 0 12',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm7.5-3c0-.5 0-.9-.1-1.3l2-1.5-2-3.4-2.3.9a7.5 7.5 0 0 0-2.3-1.3L14.5 3h-4l-.4 2.4a7.5 7.5 0 0 0-2.2 1.3l-2.3-.9-2 3.4 1.9 1.5a7.6 7.6 0 0 0 0 2.6l-1.9 1.5 2 3.4 2.3-.9c.7.6 1.4 1 2.2 1.3l.4 2.4h4l.3-2.4c.9-.3 1.6-.7 2.3-1.3l2.3.9 2-3.4-2-1.5c.1-.4.1-.8.1-1.3z',
  inspect: 'M5 3h5v5H5zm9 13h5v5h-5zM7.5 8v5a2 2 0 0 0 2 2H16m-3-3 3.5 3.2L13 18.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zm-4 6H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7 8.5c.6-3.3 3.5-5 7-5s6.4 1.7 7 5',
  alert: 'M12 8.5v4.5m0 3.5h.01M10.6 4l-8 14a1.6 1.6 0 0 0 1.4 2.4h16a1.6 1.6 0 0 0 1.4-2.4l-8-14a1.6 1.6 0 0 0-2.8 0z',
  plus: 'M12 5v14M5 12h14',
  search: 'M20 20l-4.3-4.3M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-13v2m0 14v2m9-9h-2M5 12H3m15.4-6.4l-1.4 1.4M7 17l-1.4 1.4m12.8 0L17 17M7 7L5.6 5.6',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M4 5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm5 15h6m-3-4v4',
  exit: 'M15 4h3a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-3M10 8l-4 4 4 4m-4-4h10',
  freeze: 'M12 3v18M4.2 7.5l15.6 9m0-9l-15.6 9M9.5 4.5L12 7l2.5-2.5m-5 15L12 17l2.5 2.5',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4.3-3.2L4 16.5V20h3.5v-2.5H10V15l1.7-1.7c.8.2 1.8.2 2.8.2zm1-5h.01',
  download: 'M12 4v11m0 0l-4-4m4 4l4-4M5 19.5h14',
  refresh: 'M20 11a8 8 0 0 0-14.3-4L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.3 4l1.7-2m0 5v-5h-5',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
