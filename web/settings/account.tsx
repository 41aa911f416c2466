// The person's own account, and a new password.
import { api } from '../api.js'
import { Facts } from '../components/facts.js'
import { Fields, type Rows } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Section } from '../components/page.js'
import { checkPassword, passwordFields } from '../components/passwordFields.js'
import { useDraft } from '../edit.js'
import { words } from '../format/words.js'
import { useSignedIn } from '../session.js'
import { Sessions } from './sessions.js'

const EMPTY = { currentPassword: '', password: '', again: '' }
const FIELDS: Rows<typeof EMPTY> = [
  {
    name: 'currentPassword',
    label: 'Current password',
    type: 'password',
    autoComplete: 'current-password',
    required: true,
  },
  ...passwordFields('newPassword', 'At least 12 characters. You will be signed out everywhere else.'),
]

export function Account() {
  const { name, email, role } = useSignedIn().member
  const { draft, set } = useDraft(EMPTY)
  const sending = useSending(async () => {
    checkPassword(draft)
    const { currentPassword, password } = draft
    await api.call('POST /api/session/password', { body: { currentPassword, newPassword: password } })
    set(EMPTY)
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
            <Fields draft={draft} set={set} of={FIELDS} />
          </Form>
        </div>
      </Section>
      <Sessions />
    </>
  )
}
