// Marks what was removed and added when two states are compared: by colour, by a sign, and by a word for screen
// readers.
export type Change = 'gone' | 'came'

export function Highlight({ mark }: { mark: Change }) {
  return (
    <span class="diff-mark">
      <span aria-hidden="true">{mark === 'gone' ? '−' : '+'}</span>
      <span class="visually-hidden">{mark === 'gone' ? 'Removed: ' : 'Added: '}</span>
    </span>
  )
}
