// The audit log: searching, verifying and downloading it.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { AuditEntry, type Logged } from '../components/auditEntry.js'
import { Long } from '../components/amounts.js'
import { DateFilter, Filter, SearchFilter } from '../components/filter.js'
import { useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Listed } from '../components/list.js'
import { Page } from '../components/page.js'
import { Empty, Notice } from '../components/loadingStates.js'
import { plural } from '../format/money.js'
import { startOf } from '../format/time.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
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
  const [from, until] = [query.get('from'), query.get('until')]
  const entries = useList(
    async (cursor, signal) => {
      const days = { from: startOf(from), to: startOf(until, 1) }
      return api.call('GET /api/audit-logs', { query: { ...wanted, ...days, cursor } }, { signal })
    },
    (page) => page.entries,
    [...Object.values(wanted), from, until],
  )
  const filters = { path: 'audit', query }
  return (
    <Page
      title="Audit"
      lead="Every change, with its actor and time. Each entry is hash-chained to the previous one."
      actions={<Actions />}
    >
      <div class="filters">
        <Filter
          {...filters}
          label="Resource type"
          name="resource"
          options={[['', 'All'], ...RESOURCES.map((one) => [one, words(one)] as const)]}
        />
        <SearchFilter {...filters} label="Action" name="action" />
        <SearchFilter {...filters} label="Resource ID" name="resourceId" />
        <SearchFilter {...filters} label="Actor ID" name="actorId" />
        <DateFilter {...filters} label="From" name="from" />
        <DateFilter {...filters} label="To" name="until" />
      </div>
      <Listed of={entries} rows={8} none={<None more={entries.more !== undefined} />}>
        {(rows) => <Entries rows={rows} />}
      </Listed>
    </Page>
  )
}

function None({ more }: { more: boolean }) {
  return (
    <Empty
      title={more ? 'No results so far' : 'No results'}
      action={
        <a class="button" href={to('audit')}>
          Clear filters
        </a>
      }
    >
      Write an action as it is shown, “Agent create” or agent.create, and IDs in full.
    </Empty>
  )
}

function Actions() {
  const [checked, setChecked] = useState<Answer<'GET /api/audit-logs/verify'>>()
  const verify = useSending(async () => {
    setChecked(await api.call('GET /api/audit-logs/verify', {}, { timeout: 120_000 }))
    return 'The whole log was verified'
  })
  return (
    <>
      <button type="button" disabled={verify.busy} onClick={() => void verify.send()}>
        <Icon name="approvals" />
        {verify.busy ? 'Verifying…' : 'Verify'}
      </button>
      <a class="button" href="/api/audit-logs/export" download="audit-log.jsonl">
        <Icon name="download" />
        Download
      </a>
      <a class="button" href="/api/audit-logs/checkpoint" download="checkpoint.json">
        <Icon name="download" />
        Checkpoint
      </a>
      {verify.problems[''] && (
        <p class="problem" role="alert">
          {verify.problems['']}
        </p>
      )}
      {checked && <Verdict of={checked} />}
    </>
  )
}

function Verdict({ of: { valid, entries, head, firstBrokenSequence } }: { of: Answer<'GET /api/audit-logs/verify'> }) {
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

function Entries({ rows }: { rows: Logged[] }) {
  return (
    <ul class="entries card">
      {rows.map((entry) => (
        <li key={entry.sequence}>
          <AuditEntry of={entry} />
        </li>
      ))}
    </ul>
  )
}
