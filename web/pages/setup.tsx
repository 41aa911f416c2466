// The target of a set-up link: whom it is for, and setting a first password, which signs in. The link is a secret until
// it is used, so it is removed from the address before this is shown.
import { useState } from 'preact/hooks'
import { api, BursarError } from '../api.js'
import { Door } from '../components/door.js'
import { Fields, type Rows } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Notice, When } from '../components/loadingStates.js'
import { checkPassword, passwordFields, type NewPassword } from '../components/passwordFields.js'
import { useDraft } from '../edit.js'
import { useLoad } from '../load.js'
import type { SetUpLink } from '../records.js'
import { go, to } from '../router.js'
import { useSession } from '../session.js'

const ENTRY = { isEntry: true }

export default function Setup() {
  const [{ token = '' }] = useState(() => (history.state ?? {}) as { token?: string })
  const link = useLoad(() => readLink(token), [token])
  return (
    <When of={link}>
      {(found) => (typeof found === 'string' ? <Over why={found} /> : <Open token={token} link={found} />)}
    </When>
  )
}

/** Whom the link is for, or why it opens nothing. */
async function readLink(token: string): Promise<SetUpLink | string> {
  if (token === '') return 'Open the complete set-up link that was sent to you.'
  try {
    return await api.call('POST /api/session/setup-link', { body: { token } })
  } catch (error) {
    if (error instanceof BursarError && error.code === 'AUTH_FAILED') return error.message
    throw error
  }
}

function Over({ why }: { why: string }) {
  return (
    <Door title="Set your password" lead="You use it to sign in, approve payments and manage agents.">
      <Notice tone="warning">{why}</Notice>
      <p>
        A link works once. If you have set your password already, <a href={to()}>sign in</a>.
      </p>
    </Door>
  )
}

interface Person extends NewPassword {
  name: string
  email: string
}

const fieldsOf = ({ choosesEmail }: SetUpLink): Rows<Person> => [
  {
    name: 'name',
    label: 'Your name',
    autoComplete: 'name',
    autoFocus: true,
    maxLength: 100,
    hint: 'Shown beside what you decide',
  },
  choosesEmail && {
    name: 'email',
    label: 'Your e-mail address',
    autoComplete: 'username',
    required: true,
    maxLength: 254,
    hint: 'You sign in with it',
  },
  ...passwordFields('password', 'At least 12 characters. Use a few unrelated words.'),
]

function Open({ token, link }: { token: string; link: SetUpLink }) {
  const { status, choosesEmail, organization } = link
  const start: Person = { name: link.name ?? '', email: link.email, password: '', again: '' }
  const { draft, set } = useDraft(start)
  const { refresh } = useSession()
  const sending = useSending(async () => {
    checkPassword(draft)
    const { name, email, password } = draft
    const person = { ...(status === 'INVITED' && name.trim() !== '' && { name }), ...(choosesEmail && { email }) }
    const { member } = await api.call('POST /api/session/setup', { body: { token, password, ...person } })
    await refresh()
    go(member.role === 'OWNER' && (await hasNoAgent()) ? to('welcome') : to())
    return `You are signed in as ${member.email}`
  }, ENTRY)
  return (
    <Door title="Set your password" lead="You use it to sign in, approve payments and manage agents.">
      <p>
        {status === 'INVITED' ? 'You join' : 'A new password for'} <strong>{organization.name}</strong>
        {choosesEmail ? ' as its first owner.' : `: you sign in as ${link.email}.`}
      </p>
      <Form sending={sending} submit="Set password and sign in">
        <Fields draft={draft} set={set} of={fieldsOf(link)} />
      </Form>
    </Door>
  )
}

/** Only the first owner begins from nothing. */
async function hasNoAgent(): Promise<boolean> {
  const { total } = await api.call('GET /api/agents', { query: { limit: 1 } })
  return total === 0
}
