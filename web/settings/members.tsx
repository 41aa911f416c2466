// The members and their roles; owners invite, change and remove them.
import { useState } from 'preact/hooks'
import { api, withSecret, type Answer } from '../api.js'
import { Time, Who } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { CASCADE, Descendants } from '../components/descendants.js'
import { Confirm, Opening } from '../components/dialog.js'
import { EditForm } from '../components/editForm.js'
import { Fields, type Rows } from '../components/fields.js'
import { Form, useSending, type Once } from '../components/form.js'
import { Records } from '../components/list.js'
import { readMember } from '../components/member.js'
import { Section } from '../components/page.js'
import { SecretOnce } from '../components/secret.js'
import { actionColumn, TwoLines, type Columns } from '../components/table.js'
import { useDraft } from '../edit.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import type { Member } from '../records.js'
import { useMay, useSession, useSignedIn, type Role } from '../session.js'

const ROLES: readonly (readonly [Role, string])[] = [
  ['VIEWER', 'Viewer: read only'],
  ['MANAGER', 'Manager: agents, wallets, policies, counterparties'],
  ['ADMIN', 'Admin: everything but members; decides approvals'],
  ['OWNER', 'Owner: everything'],
]

export function Members() {
  const may = useMay('OWNER')
  const members = useList('GET /api/members', 'members', {})
  const invite = may && (
    <Opening label="Invite" icon="plus" title="Invite member" class="primary">
      <InviteForm onDone={members.reload} />
    </Opening>
  )
  return (
    <Section
      title="Members"
      lead="Each member sets a password with a set-up link that works once, within 7 days."
      actions={invite}
    >
      <Records caption="Members" of={members} columns={columnsFor(may, members.reload)} />
    </Section>
  )
}

const columnsFor = (may: boolean, reload: () => void): Columns<Member> => [
  {
    head: 'Name',
    cell: ({ name, email }) => <TwoLines first={<strong>{name ?? email}</strong>} second={name && email} />,
  },
  { head: 'Role', cell: ({ role }) => words(role) },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
  { head: 'Invited by', cell: ({ createdBy }) => <Who by={createdBy} /> },
  { head: 'Last sign-in', cell: ({ lastSignInAt: at }) => (at ? <Time at={at} as="relative" /> : 'never') },
  may && actionColumn((member) => <Actions of={member} reload={reload} />),
]

function Actions({ of, reload }: { of: Member; reload: () => void }) {
  const { id: memberId, name, email, status } = of
  const { member } = useSignedIn()
  const { leave } = useSession()
  const who = name ?? email
  const path = { memberId }
  return (
    <>
      {status === 'INVITED' && (
        <Opening label="New link" title={`New set-up link for ${who}`}>
          <NewLink
            create={(once) => api.call('POST /api/members/{memberId}/invite', { path }, once)}
            lead="The previous link stops working."
          />
        </Opening>
      )}
      {status === 'ACTIVE' && memberId !== member.id && (
        <Opening label="Reset password" title={`Reset password of ${who}`}>
          <NewLink
            create={(once) => api.call('POST /api/members/{memberId}/reset-password', { path }, once)}
            lead="The current password works until the link is used, which signs them out everywhere."
          />
        </Opening>
      )}
      <Opening label="Edit" title={`Edit ${who}`}>
        <EditMember of={of} onDone={reload} />
      </Opening>
      <Confirm
        label="Remove"
        title={`Remove ${who}?`}
        danger
        choice={CASCADE}
        act={(_once, _reason, cascade) => api.call('DELETE /api/members/{memberId}', { path, query: { cascade } })}
        after={memberId === member.id ? leave : reload}
        done={`${who} was removed`}
      >
        Their sessions and keys are revoked immediately.
        <Descendants of={{ type: 'MEMBER', id: memberId }} />
      </Confirm>
    </>
  )
}

const INVITED = { email: '', name: '', role: 'ADMIN' as Role }
const INVITE_FIELDS: Rows<typeof INVITED> = [
  { name: 'email', label: 'E-mail address', type: 'email', required: true },
  { name: 'name', label: 'Name', maxLength: 100 },
  { name: 'role', label: 'Role', options: ROLES },
]

function InviteForm({ onDone }: { onDone: () => void }) {
  const { draft, set } = useDraft(INVITED)
  const [link, setLink] = useState<string>()
  const sending = useSending(async (once) => {
    const invited = api.call('POST /api/members', { body: { ...draft, name: draft.name || undefined } }, once)
    const { setupUrl } = await withSecret(invited, 'create a new link in the list')
    setLink(setupUrl)
    onDone()
    return `${draft.email} was invited`
  })
  if (link !== undefined) return <SetupLink link={link} />
  return (
    <Form sending={sending} submit="Invite">
      <Fields draft={draft} set={set} of={INVITE_FIELDS} />
    </Form>
  )
}

function SetupLink({ link }: { link: string }) {
  const hint = 'Bursar sends no e-mail: pass the link on yourself. Anyone with the link can set the password.'
  return <SecretOnce text={link} what="set-up link" hint={hint} />
}

interface NewLinkProps {
  create: (once: Once) => Promise<Answer<'POST /api/members'>>
  /** What becomes of the link or password before it. */
  lead: string
}

function NewLink({ create, lead }: NewLinkProps) {
  const [link, setLink] = useState<string>()
  const sending = useSending(async (once) => {
    setLink((await withSecret(create(once), 'create another')).setupUrl)
    return 'A new link was created'
  })
  if (link !== undefined) return <SetupLink link={link} />
  return (
    <Form sending={sending} submit="Create link">
      <p>{lead}</p>
    </Form>
  )
}

const draftOf = ({ name, role }: Member) => ({ name: name ?? '', role })

function EditMember({ of, onDone }: { of: Member; onDone: () => void }) {
  return (
    <EditForm
      record={of}
      draftOf={draftOf}
      read={() => readMember(of.id)}
      write={({ name, role }) => {
        const body = { name: name === undefined ? undefined : name || null, role }
        return api.call('PATCH /api/members/{memberId}', { path: { memberId: of.id }, body })
      }}
      after={onDone}
      done="The member was updated"
      fields={[
        { name: 'name', label: 'Name', maxLength: 100 },
        { name: 'role', label: 'Role', options: ROLES },
      ]}
    />
  )
}
