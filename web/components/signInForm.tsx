// The form with e-mail address and password for signing in.
import type { ComponentChildren } from 'preact'
import { api } from '../api.js'
import { useDraft } from '../edit.js'
import { useSession } from '../session.js'
import { Fields } from './fields.js'
import { Form, useSending } from './form.js'

interface Props {
  /** The e-mail address of the person who is expected. */
  known?: string
  beside?: ComponentChildren
}

export function SignInForm({ known, beside }: Props) {
  const { draft, set } = useDraft({ email: known ?? '', password: '' })
  const { refresh } = useSession()
  const sending = useSending(async () => {
    await api.call('POST /api/session', { body: draft })
    await refresh()
    return undefined
  })
  return (
    <Form sending={sending} submit="Sign in" beside={beside}>
      <Fields
        draft={draft}
        set={set}
        of={[
          {
            name: 'email',
            label: 'E-mail address',
            type: 'email',
            autoComplete: 'username',
            required: true,
            autoFocus: known === undefined,
          },
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autoComplete: 'current-password',
            required: true,
            autoFocus: known !== undefined,
            maxLength: 1024,
          },
        ]}
      />
    </Form>
  )
}
