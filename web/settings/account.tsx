// The person's own account, and a new password.
import { useState } from 'preact/hooks'
import { api, BursarError } from '../api.js'
import { Facts } from '../components/facts.js'
import { Field, Form, useSending } from '../components/form.js'
import { Section } from '../components/page.js'
import { words } from '../format/words.js'
import { useSignedIn } from '../session.js'
import { Sessions } from './sessions.js'

const LENGTH = { minLength: 12, maxLength: 128 }

export function Account() {
  const {
    member: { name, email, role },
  } = useSignedIn()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [again, setAgain] = useState('')
  const sending = useSending(async () => {
    if (newPassword !== again)
      throw new BursarError('The passwords do not match', { code: 'VALIDATION_ERROR', status: 400 })
    await api.call('POST /api/session/password', { body: { currentPassword, newPassword } })
    setCurrent('')
    setNew('')
    setAgain('')
    return 'The password was changed, and you were signed out everywhere else'
  })
  return (
    <>
      <Section title="Account">
        <div class="card narrow">
          <Facts
            of={[
              ['Name', name],
              ['E-mail address', email],
              ['Role', words(role)],
            ]}
          />
          <Form sending={sending} submit="Change password">
            <Field
              label="Current password"
              path="currentPassword"
              type="password"
              autoComplete="current-password"
              required
              value={currentPassword}
              onValue={setCurrent}
            />
            <Field
              label="New password"
              path="newPassword"
              type="password"
              autoComplete="new-password"
              required
              {...LENGTH}
              value={newPassword}
              onValue={setNew}
              hint="At least 12 characters. You will be signed out everywhere else."
            />
            <Field
              label="Confirm new password"
              type="password"
              autoComplete="new-password"
              required
              {...LENGTH}
              value={again}
              onValue={setAgain}
            />
          </Form>
        </div>
      </Section>
      <Sessions />
    </>
  )
}
