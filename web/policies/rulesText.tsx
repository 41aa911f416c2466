// A policy's rules as the JSON that the service accepts, with its errors listed below.
import { useState } from 'preact/hooks'
import { TextArea } from '../components/form.js'
import type { Detail } from './draft.js'
import type { Rule } from './ruleTypes.js'

interface Props {
  text: string
  problems: readonly Detail[]
  onText: (text: string) => void
  /** Called with the rules in the text, or with undefined if it is not a list. */
  onRules: (rules: Rule[] | undefined) => void
}

export function RulesText({ text, problems, onText, onRules }: Props) {
  const [unread, setUnread] = useState<string>()
  const read = (next: string): void => {
    onText(next)
    const found = listIn(next)
    setUnread(typeof found === 'string' ? found : undefined)
    onRules(typeof found === 'string' ? undefined : found)
  }
  return (
    <div class="rules-text">
      <TextArea
        label="Rules"
        value={text}
        onValue={read}
        rows={Math.min(30, Math.max(10, text.split('\n').length + 1))}
        required
      />
      <div role="alert">
        {unread !== undefined && <p class="problem">{unread}</p>}
        {unread === undefined &&
          problems.map(({ path, message }) => (
            <p key={path} class="problem">
              <code>{path}</code> {message}
            </p>
          ))}
      </div>
    </div>
  )
}

/** The list in the text, or the reason why it is not one. */
function listIn(text: string): Rule[] | string {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? (found as Rule[]) : 'The rules must be a JSON array.'
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
