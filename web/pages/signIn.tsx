// The form to sign in with. It stands in the place of whatever page was asked for, which is there afterwards.
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api.js'
import { Field, Form, useSending } from '../components/form.js'
import { Mark } from '../components/mark.js'
import { useSession } from '../session.js'

export default function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { refresh } = useSession()
  useEffect(() => {
    document.title = 'Sign in – Bursar'
  }, [])
  const sending = useSending(async () => {
    await api.call('POST /api/session', { body: { email, password } })
    await refresh()
    return undefined
  })
  return (
    <div class="door-box">
      <Mark />
      <h1>Sign in</h1>
      <p class="lead">Bursar governs what AI agents may spend.</p>
      <Form sending={sending} submit="Sign in">
        <Field
          label="E-mail address"
          path="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onValue={setEmail}
        />
        <Field
          label="Password"
          path="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1024}
          value={password}
          onValue={setPassword}
        />
      </Form>
      <p class="hint">No account yet? Whoever manages your organization's members can send you a set-up link.</p>
    </div>
  )
}
