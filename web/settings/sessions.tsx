// Where the person is signed in; each session can be ended from here.
import { api, type Entry } from '../api.js'
import { Time } from '../components/amounts.js'
import { Confirm } from '../components/dialog.js'
import { Records } from '../components/list.js'
import { Section } from '../components/page.js'
import { actionColumn, type Columns } from '../components/table.js'
import { dateTime } from '../format/time.js'
import { useList } from '../load.js'
import { useSession } from '../session.js'

export function Sessions() {
  const { leave } = useSession()
  const sessions = useList('GET /api/members/me/sessions', 'sessions', {})
  const columns: Columns<Entry<'GET /api/members/me/sessions', 'sessions'>> = [
    {
      head: 'Browser',
      cell: ({ userAgent, current }) => (
        <>
          <span class="value">{userAgent ?? 'unknown'}</span>
          {current && <span class="hint"> this browser</span>}
        </>
      ),
    },
    { head: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} as="relative" /> },
    actionColumn(({ id: sessionId, current, userAgent, createdAt }) => (
      <Confirm
        label="Sign out"
        title={`Sign out of the session of ${dateTime(createdAt)}?`}
        act={() => api.call('DELETE /api/members/me/sessions', { query: { sessionId } })}
        after={current ? leave : sessions.reload}
        done="The session was signed out"
      >
        {current ? 'This is your session in this browser.' : `Browser: ${userAgent ?? 'unknown'}.`} Whoever uses it has
        to sign in again.
      </Confirm>
    )),
  ]
  return (
    <Section title="Active sessions" lead="If you do not recognize a session, sign out of it and change your password.">
      <Records caption="Sessions" of={sessions} columns={columns} />
    </Section>
  )
}
