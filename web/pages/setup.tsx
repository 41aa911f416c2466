// The target of a set-up link: setting a first password, which signs in. The link is a secret until it is used, so it
// is removed from the address before this is shown.
import { useEffect, useState } from 'preact/hooks'
import { api, BursarError } from '../api.js'
import { Field, Form, useSending } from '../components/form.js'
import { Logo } from '../components/logo.js'
import { Notice } from '../components/loadingStates.js'
import { go, to } from '../router.js'
import { useSession } from '../session.js'

const ENTRY = { isEntry: true }
const LENGTH = { minLength: 12, maxLength: 128 }

export default function Setup() {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const { refresh } = useSession()
  useEffect(() => {
    document.title = 'Set your password – Bursar'
  }, [])
  const { token = '' } = (history.state ?? {}) as { token?: string }
  const sending = useSending(async () => {
    if (password !== again)
      throw new BursarError('The passwords do not match', { code: 'VALIDATION_ERROR', status: 400 })
    const { member } = await api.call('POST /api/session/setup', { body: { token, password } })
    await refresh()
    go(member.role === 'OWNER' ? to('welcome') : to())
    return 'You are signed in'
  }, ENTRY)
  return (
    <div class="door-box">
      <Logo />
      <h1>Set your password</h1>
      <p class="lead">You use it to sign in, approve payments and manage agents.</p>
      {token === '' && <Notice tone="warning">Open the complete set-up link that was sent to you.</Notice>}
      <p>
        The link works once. If you have set your password already, <a href={to()}>sign in</a>.
      </p>
      <Form sending={sending} submit="Set password and sign in">
        <Field
          label="New password"
          path="password"
          type="password"
          autoComplete="new-password"
          required
          autoFocus
          {...LENGTH}
          hint="At least 12 characters. Use a few unrelated words."
          value={password}
          onValue={setPassword}
        />
        <Field
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          required
          {...LENGTH}
          value={again}
          onValue={setAgain}
        />
      </Form>
    </div>
  )
}
