// The target of a set-up link: setting a first password, which signs in. The link is a secret until it is used, so it
// is removed from the address before this is shown.
import { api } from '../api.js'
import { Door } from '../components/door.js'
import { Fields } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Notice } from '../components/loadingStates.js'
import { checkPassword, passwordFields } from '../components/passwordFields.js'
import { useDraft } from '../edit.js'
import { go, to } from '../router.js'
import { useSession } from '../session.js'

const ENTRY = { isEntry: true }
const FIELDS = passwordFields('password', 'At least 12 characters. Use a few unrelated words.', true)

export default function Setup() {
  const { draft, set } = useDraft({ password: '', again: '' })
  const { refresh } = useSession()
  const { token = '' } = (history.state ?? {}) as { token?: string }
  const sending = useSending(async () => {
    checkPassword(draft)
    const { member } = await api.call('POST /api/session/setup', { body: { token, password: draft.password } })
    await refresh()
    go(member.role === 'OWNER' ? to('welcome') : to())
    return 'You are signed in'
  }, ENTRY)
  return (
    <Door title="Set your password" lead="You use it to sign in, approve payments and manage agents.">
      {token === '' && <Notice tone="warning">Open the complete set-up link that was sent to you.</Notice>}
      <p>
        The link works once. If you have set your password already, <a href={to()}>sign in</a>.
      </p>
      <Form sending={sending} submit="Set password and sign in">
        <Fields draft={draft} set={set} of={FIELDS} />
      </Form>
    </Door>
  )
}
