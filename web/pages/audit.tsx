// The audit log: searching it, having it checked, and taking it along.
import { useState } from 'preact/hooks'
import { api, type Answer, type Entry } from '../api.js'
import { Long, Time, Who } from '../components/figures.js'
import { DateFilter, Filter, SearchFilter } from '../components/filter.js'
import { useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { Page } from '../components/page.js'
import { Empty, More, Notice, When } from '../components/states.js'
import { spoken, Value } from '../components/value.js'
import { plural } from '../format/money.js'
import { startOf } from '../format/time.js'
import { short, words } from '../format/words.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../routes.js'

type AuditEntry = Entry<'GET /api/audit-logs', 'entries'>

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

/** As the log has it: `member.set_up` is listed as “Member set up”, and may be written so too. */
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
      lead="Every change, by whom and when, each entry chained to the one before."
      actions={<Deeds />}
    >
      <div class="filters">
        <Filter
          {...filters}
          label="About"
          name="resource"
          options={[['', 'Everything'], ...RESOURCES.map((one) => [one, words(one)] as const)]}
        />
        <SearchFilter {...filters} label="Action" name="action" />
        <SearchFilter {...filters} label="Id" name="resourceId" />
        <DateFilter {...filters} label="From" name="from" />
        <DateFilter {...filters} label="Until" name="until" />
      </div>
      <When of={entries} rows={8}>
        {(rows) => (rows.length > 0 ? <Entries rows={rows} /> : <None more={entries.more !== undefined} />)}
      </When>
      <More of={entries} />
      {entries.data?.length === 0 && entries.more && (
        <div>
          <button type="button" disabled={entries.busy} onClick={entries.more}>
            Look further back
          </button>
        </div>
      )}
    </Page>
  )
}

function None({ more }: { more: boolean }) {
  return (
    <Empty
      title={more ? 'Nothing that fits so far' : 'No entry fits'}
      action={
        <a class="button" href={to('audit')}>
          Show all
        </a>
      }
    >
      An action is written as the list has it, “Agent create” or agent.create; an id is whole.
    </Empty>
  )
}

function Deeds() {
  const [checked, setChecked] = useState<Answer<'GET /api/audit-logs/verify'>>()
  const verify = useSending(async () => {
    setChecked(await api.call('GET /api/audit-logs/verify', {}, { timeout: 120_000 }))
    return 'The log was read from its first entry'
  })
  return (
    <>
      <button type="button" disabled={verify.busy} onClick={() => void verify.send()}>
        <Icon name="approvals" />
        {verify.busy ? 'Reading…' : 'Verify'}
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
        <strong>The chain is broken</strong> at entry {firstBrokenSequence}. Keep the data folder as it is and compare
        with a download or a checkpoint from before.
      </Notice>
    )
  return (
    <Notice tone="good">
      {plural(entries, 'entry', 'entries')}, unbroken.
      {head && (
        <>
          {' '}
          Its head is <Long text={head} what="head of the log" />.
        </>
      )}
    </Notice>
  )
}

function Entries({ rows }: { rows: AuditEntry[] }) {
  return (
    <ul class="entries card">
      {rows.map((entry) => (
        <li key={entry.sequence}>
          <EntryLine of={entry} />
        </li>
      ))}
    </ul>
  )
}

function EntryLine({
  of: { sequence, action, resource, resourceId, actor, at, data, hash, previousHash, requestId },
}: {
  of: AuditEntry
}) {
  return (
    <details>
      <summary>
        <span class="hint">{sequence}</span> <strong>{words(action)}</strong>{' '}
        <span>
          by <Who by={actor} />
        </span>{' '}
        <Time at={at} />
      </summary>
      <dl class="facts">
        <div>
          <dt>Of</dt>
          <dd>
            <PlaceOf resource={resource} id={resourceId} />
          </dd>
        </div>
        {Object.entries(isFields(data) ? data : { said: data }).map(([name, value]) => (
          <div key={name}>
            <dt>{spoken(name)}</dt>
            <dd>
              <Changed of={value} />
            </dd>
          </div>
        ))}
        {requestId && (
          <div>
            <dt>Request</dt>
            <dd>
              <Long text={requestId} what="request id" />
            </dd>
          </div>
        )}
        <div>
          <dt>Hash</dt>
          <dd>
            <Long text={hash} what="hash" />
          </dd>
        </div>
        <div>
          <dt>Hash before</dt>
          <dd>
            <Long text={previousHash} what="hash of the entry before" />
          </dd>
        </div>
      </dl>
      {resource === 'payment' && (
        <p>
          <a href={`/api/payments/${resourceId}/receipt`} download={`receipt-${resourceId}.json`}>
            Receipt of this payment
          </a>
        </p>
      )}
    </details>
  )
}

const isFields = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A changed field says what it was and what it is. */
function Changed({ of }: { of: unknown }) {
  const names = isFields(of) ? Object.keys(of) : []
  if (!isFields(of) || names.length === 0 || !names.every((name) => name === 'from' || name === 'to'))
    return <Value of={of} />
  return (
    <>
      <Value of={of['from']} /> <span aria-hidden="true">→</span>
      <span class="visually-hidden">is now</span> <Value of={of['to']} />
    </>
  )
}

const PAGES: { [resource: string]: string } = {
  agent: 'agents',
  payment: 'payments',
  counterparty: 'counterparties',
  policy: 'policies',
}

function PlaceOf({ resource, id }: { resource: string; id: string }) {
  const page = PAGES[resource]
  return (
    <>
      {words(resource)}{' '}
      {page ? (
        <a href={to(page, id)}>
          <code>{short(id)}</code>
        </a>
      ) : (
        <code title={id}>{short(id)}</code>
      )}
    </>
  )
}
