// The members and their roles; owners invite, change and remove them.
import { useState } from 'preact/hooks'
import { api, withSecret } from '../api.js'
import { Badge } from '../components/badge.js'
import { Confirm, Opening } from '../components/dialog.js'
import { Descendants, CASCADE } from '../components/descendants.js'
import { Time, Who } from '../components/amounts.js'
import { Field, Form, Select, useSending, type Once } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Listed } from '../components/list.js'
import { readMember } from '../components/member.js'
import { Section } from '../components/page.js'
import { Secret } from '../components/secret.js'
import { Table, type Column } from '../components/table.js'
import { isEmpty, useEdit } from '../edit.js'
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

export function People() {
  const may = useMay('OWNER')
  const members = useList(
    (cursor) => api.call('GET /api/members', { query: { cursor } }),
    (page) => page.members,
    [],
  )
  const invite = may && (
    <Opening
      label={
        <>
          <Icon name="plus" />
          Invite
        </>
      }
      title="Invite member"
      class="primary"
    >
      {(close) => <InviteForm onDone={members.reload} close={close} />}
    </Opening>
  )
  return (
    <Section
      title="Members"
      lead="Each member sets a password with a set-up link that works once, within 7 days."
      actions={invite}
    >
      <Listed of={members}>
        {(rows) => (
          <Table caption="Members" columns={columnsFor(may, members.reload)} rows={rows} keyOf={({ id }) => id} />
        )}
      </Listed>
    </Section>
  )
}

function columnsFor(may: boolean, reload: () => void): Column<Member>[] {
  const columns: Column<Member>[] = [
    {
      head: 'Name',
      cell: ({ name, email }) => (
        <>
          <strong>{name ?? email}</strong>
          {name && (
            <>
              <br />
              <span class="hint">{email}</span>
            </>
          )}
        </>
      ),
    },
    { head: 'Role', cell: ({ role }) => words(role) },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'Invited by', cell: ({ createdBy }) => <Who by={createdBy} /> },
    {
      head: 'Last sign-in',
      cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} as="relative" /> : 'never'),
    },
  ]
  if (may)
    columns.push({
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (member) => <Actions of={member} reload={reload} />,
    })
  return columns
}

function Actions({ of, reload }: { of: Member; reload: () => void }) {
  const { id: memberId, name, email, status } = of
  const { member } = useSignedIn()
  const { leave } = useSession()
  const who = name ?? email
  const remove = async (_once: Once, _reason: string, cascade: boolean): Promise<string> => {
    await api.call('DELETE /api/members/{memberId}', { path: { memberId }, query: { cascade } })
    if (memberId === member.id) leave()
    else reload()
    return `${who} was removed`
  }
  return (
    <div class="row-actions">
      {status === 'INVITED' && (
        <Opening label="New link" class="small" title={`New set-up link for ${who}`}>
          {() => <NewLink memberId={memberId} />}
        </Opening>
      )}
      {status === 'ACTIVE' && memberId !== member.id && (
        <Opening label="Reset password" class="small" title={`Reset password of ${who}`}>
          {() => <ResetLink memberId={memberId} />}
        </Opening>
      )}
      <Opening label="Edit" class="small" title={`Edit ${who}`}>
        {(close) => (
          <ChangeForm
            of={of}
            onDone={() => {
              reload()
              close()
            }}
          />
        )}
      </Opening>
      <Confirm
        label="Remove"
        class="small danger"
        title={`Remove ${who}?`}
        confirm="Remove"
        danger
        choice={CASCADE}
        act={remove}
      >
        Their sessions and keys are revoked immediately.
        <Descendants of={{ type: 'MEMBER', id: memberId }} />
      </Confirm>
    </div>
  )
}

function InviteForm({ onDone, close }: { onDone: () => void; close: () => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('ADMIN')
  const [link, setLink] = useState<string>()
  const sending = useSending(async (once) => {
    const invited = api.call('POST /api/members', { body: { email, name: name || undefined, role } }, once)
    const { setupUrl } = await withSecret(invited, 'create a new link in the list')
    setLink(setupUrl)
    onDone()
    return `${email} was invited`
  })
  if (link !== undefined) return <Link link={link} close={close} />
  return (
    <Form sending={sending} submit="Invite">
      <Field label="E-mail address" path="email" type="email" required value={email} onValue={setEmail} />
      <Field label="Name" path="name" maxLength={100} value={name} onValue={setName} />
      <Select label="Role" path="role" options={ROLES} value={role} onValue={(value) => setRole(value as Role)} />
    </Form>
  )
}

function Link({ link, close }: { link: string; close?: () => void }) {
  return (
    <>
      <Secret text={link} what="set-up link" />
      <p class="hint">Bursar sends no e-mail: pass the link on yourself. Anyone with the link can set the password.</p>
      {close && (
        <div class="form-actions">
          <button type="button" class="primary" onClick={close}>
            Done
          </button>
        </div>
      )}
    </>
  )
}

function NewLink({ memberId }: { memberId: string }) {
  const [link, setLink] = useState<string>()
  const sending = useSending(async (once) => {
    const made = api.call('POST /api/members/{memberId}/invite', { path: { memberId } }, once)
    setLink((await withSecret(made, 'create another')).setupUrl)
    return 'A new link was created'
  })
  return link === undefined ? (
    <Form sending={sending} submit="Create link">
      <p>The previous link stops working.</p>
    </Form>
  ) : (
    <Link link={link} />
  )
}

function ResetLink({ memberId }: { memberId: string }) {
  const [link, setLink] = useState<string>()
  const sending = useSending(async (once) => {
    const made = api.call('POST /api/members/{memberId}/reset-password', { path: { memberId } }, once)
    setLink((await withSecret(made, 'create another')).setupUrl)
    return 'A password reset link was created'
  })
  return link === undefined ? (
    <Form sending={sending} submit="Create link">
      <p>The current password works until the link is used, which signs them out everywhere.</p>
    </Form>
  ) : (
    <Link link={link} />
  )
}

function ChangeForm({ of, onDone }: { of: Member; onDone: () => void }) {
  const { draft, set, changes } = useEdit(shownOf(of))
  const sending = useSending(async () => {
    const changed = changes(shownOf((await readMember(of.id)) ?? of))
    if (isEmpty(changed)) return 'No changes to save'
    const { name, role } = changed
    const body = { name: name === undefined ? undefined : name || null, role }
    await api.call('PATCH /api/members/{memberId}', { path: { memberId: of.id }, body })
    onDone()
    return 'The member was updated'
  })
  return (
    <Form sending={sending} submit="Save">
      <Field label="Name" path="name" maxLength={100} value={draft.name} onValue={(name) => set({ name })} />
      <Select
        label="Role"
        path="role"
        options={ROLES}
        value={draft.role}
        onValue={(value) => set({ role: value as Role })}
      />
    </Form>
  )
}

const shownOf = ({ name, role }: Member) => ({ name: name ?? '', role })
