// Light, dark, or what the system says: an attribute of the document that the style sheet reads. The choice is kept in
// this browser.
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'bursar-theme'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  // For what paints by itself, like charts.
  dispatchEvent(new Event('themechange'))
}
