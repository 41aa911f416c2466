// Where the person is signed in; each session can be ended from here.
import { api, type Entry } from '../api.js'
import { Confirm } from '../components/dialog.js'
import { Time } from '../components/amounts.js'
import { Listed } from '../components/list.js'
import { Section } from '../components/page.js'
import { Table, type Column } from '../components/table.js'
import { useList } from '../load.js'
import { useSession } from '../session.js'

type OwnSession = Entry<'GET /api/members/me/sessions', 'sessions'>

export function Sessions() {
  const { leave } = useSession()
  const sessions = useList(
    (cursor) => api.call('GET /api/members/me/sessions', { query: { cursor } }),
    (page) => page.sessions,
    [],
  )
  const end = async ({ id: sessionId, current }: OwnSession): Promise<string> => {
    await api.call('DELETE /api/members/me/sessions', { query: { sessionId } })
    if (current) leave()
    else sessions.reload()
    return 'The session was signed out'
  }
  const columns: Column<OwnSession>[] = [
    {
      head: 'Browser',
      cell: ({ userAgent, current }) => (
        <>
          <span class="value">{userAgent ?? 'unknown'}</span>
          {current && <span class="hint"> this one</span>}
        </>
      ),
    },
    { head: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} as="relative" /> },
    {
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (session) => (
        <Confirm
          label="Sign out"
          class="small"
          title="Sign out of this session?"
          confirm="Sign out"
          act={() => end(session)}
        >
          This device has to sign in again.
        </Confirm>
      ),
    },
  ]
  return (
    <Section title="Active sessions" lead="If you do not recognize a session, sign out of it and change your password.">
      <Listed of={sessions}>
        {(rows) => <Table caption="Sessions" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Listed>
    </Section>
  )
}
