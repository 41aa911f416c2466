// Opens the command palette, by Ctrl-K or Cmd-K and by buttons. Its code is fetched when it is first opened.
import type { ComponentType } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { Icon } from '../components/icon.js'

interface Opened {
  Palette: ComponentType<{ onClose: () => void }>
}

/** Opens it, and the palette itself while it is open. */
export function usePalette() {
  const [opened, setOpened] = useState<Opened>()
  const close = useCallback(() => setOpened(undefined), [])
  const open = useCallback(() => {
    import('./palette.js').then(
      ({ default: Palette }) => setOpened({ Palette }),
      () => announce('The search could not be loaded: reload the page'),
    )
  }, [])
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (opened !== undefined) close()
      // A form above the page would lose its input.
      else if (document.querySelector('dialog[open]') === null) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [opened])
  return { open, palette: opened && <opened.Palette onClose={close} /> }
}

const IS_MAC = navigator.platform.startsWith('Mac')

export function SearchButton({ open }: { open: () => void }) {
  return (
    <button type="button" class="search-button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <Icon name="search" />
      Search
      <kbd aria-hidden="true">{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}
