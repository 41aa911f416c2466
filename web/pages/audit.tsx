// The audit log: searching, verifying and downloading it.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { useTerms } from '../audit/terms.js'
import { AuditEntry } from '../components/auditEntry.js'
import { Long } from '../components/amounts.js'
import { ButtonLink, SendButton } from '../components/button.js'
import { Filters, type FilterRow } from '../components/filter.js'
import { useSending } from '../components/form.js'
import { Listed } from '../components/list.js'
import { Page } from '../components/page.js'
import { Notice } from '../components/loadingStates.js'
import { plural } from '../format/money.js'
import { useList } from '../load.js'
import type { Logged } from '../payment/logged.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'

const RESOURCES = [
  'agent',
  'payment',
  'policy',
  'delegation',
  'wallet',
  'counterparty',
  'key',
  'member',
  'session',
  'organization',
  'change',
  'workflow',
] as const

const FILTERS: readonly FilterRow[] = [
  { label: 'Resource type', name: 'resource', options: RESOURCES },
  { label: 'Action', name: 'action' },
  { label: 'Resource ID', name: 'resourceId' },
  { label: 'Actor ID', name: 'actorId' },
  { label: 'From', name: 'from', type: 'date' },
  { label: 'To', name: 'until', type: 'date' },
]

/** The action's name in the log: `member.set_up` is listed as “Member set up”, and both are accepted. */
function actionIn(written: string | undefined): string | undefined {
  const text = written?.trim().toLowerCase()
  return text?.includes('.') ? text : text?.replace(/\s+/, '.').replaceAll(/\s+/g, '_')
}

export default function Audit({ query }: PageProps) {
  const given = (name: string): string | undefined => query.get(name) || undefined
  const wanted = {
    action: actionIn(given('action')),
    resource: given('resource'),
    resourceId: given('resourceId'),
    actorId: given('actorId'),
  }
  const entries = useList(
    'GET /api/audit-logs',
    'entries',
    { query: wanted },
    { days: [query.get('from'), query.get('until')] },
  )
  return (
    <Page
      title="Audit"
      lead="Every change, with its actor and time. Each entry is hash-chained to the previous one."
      actions={<Actions />}
    >
      <Filters path="audit" query={query} of={FILTERS} />
      <Listed
        of={entries}
        rows={8}
        none={{
          title: entries.more === undefined ? 'No results' : 'No results so far',
          children: 'Write an action as it is shown, “Agent create” or agent.create, and IDs in full.',
          action: <ButtonLink href={to('audit')} label="Clear filters" />,
        }}
      >
        {(rows) => <Entries of={rows} />}
      </Listed>
    </Page>
  )
}

function Entries({ of: rows }: { of: Logged[] }) {
  const terms = useTerms(rows)
  return (
    <ul class="entries card">
      {rows.map((entry) => (
        <li key={entry.sequence}>
          <AuditEntry of={entry} terms={terms.get(entry.resourceId)} />
        </li>
      ))}
    </ul>
  )
}

function Actions() {
  const [checked, setChecked] = useState<Verified>()
  const verify = useSending(async () => {
    setChecked(await api.call('GET /api/audit-logs/verify', {}, { timeout: 120_000 }))
    return 'The whole log was verified'
  })
  return (
    <>
      <SendButton sending={verify} icon="approvals" label={verify.busy ? 'Verifying…' : 'Verify'} />
      <ButtonLink href="/api/audit-logs/export" download="audit-log.jsonl" icon="download" label="Download" />
      <ButtonLink href="/api/audit-logs/checkpoint" download="checkpoint.json" icon="download" label="Checkpoint" />
      {checked && <Verification of={checked} />}
    </>
  )
}

type Verified = Answer<'GET /api/audit-logs/verify'>

function Verification({ of: { valid, entries, head, firstBrokenSequence } }: { of: Verified }) {
  if (!valid)
    return (
      <Notice tone="danger">
        <strong>The chain is broken</strong> at entry {firstBrokenSequence}. Keep the data folder unchanged and compare
        it with an earlier export or checkpoint.
      </Notice>
    )
  return (
    <Notice tone="good">
      {plural(entries, 'entry', 'entries')}, unbroken.
      {head && (
        <>
          {' '}
          Head hash: <Long text={head} what="head hash" />.
        </>
      )}
    </Notice>
  )
}
