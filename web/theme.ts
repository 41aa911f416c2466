// The theme, light, dark or the system's: an attribute of the document that the style sheet reads. The choice is stored
// in this browser.
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'bursar-theme'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function chosenTheme(): Theme {
  const stored = storedTheme()
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // The browser may deny storage, and throws then.
    return null
  }
}

/** False if the browser denies storage: the choice then lasts as long as the page. */
export function chooseTheme(theme: Theme): boolean {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
    return true
  } catch {
    return false
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}
