// The form with e-mail address and password for signing in.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { useSession } from '../session.js'
import { Field, Form, useSending } from './form.js'

interface Props {
  /** The e-mail address of the person who is expected. */
  known?: string
  beside?: ComponentChildren
}

export function SignInForm({ known, beside }: Props) {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const { refresh } = useSession()
  const sending = useSending(async () => {
    await api.call('POST /api/session', { body: { email, password } })
    await refresh()
    return undefined
  })
  return (
    <Form sending={sending} submit="Sign in" beside={beside}>
      <Field
        label="E-mail address"
        path="email"
        type="email"
        autoComplete="username"
        required
        autoFocus={known === undefined}
        value={email}
        onValue={setEmail}
      />
      <Field
        label="Password"
        path="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={known !== undefined}
        maxLength={1024}
        value={password}
        onValue={setPassword}
      />
    </Form>
  )
}
