// A policy's history: all versions, the differences of two of them, and rolling back.
import { useState } from 'preact/hooks'
import type { Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Time, Who } from '../components/amounts.js'
import { ButtonLink } from '../components/button.js'
import { Listed } from '../components/list.js'
import { actionColumn, Table, type Columns } from '../components/table.js'
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import { useMay } from '../session.js'
import type { Policy } from '../records.js'
import { RollBack } from './rollBack.js'
import { VersionDiff } from './versionDiff.js'
import { VersionRules } from './versionRules.js'

type Version = Entry<'GET /api/policies/{policyId}/versions', 'versions'>

interface Props {
  policy: Policy
  query: URLSearchParams
  onChanged: () => void
}

export function Versions({ policy, query, onChanged }: Props) {
  const { id, version: current } = policy
  const list = useList(
    'GET /api/policies/{policyId}/versions',
    'versions',
    { path: { policyId: id } },
    { about: current },
  )
  const [from, toVersion, version] = ['from', 'to', 'version'].map((name) => Number(query.get(name)))
  const [rollingTo, setRollingTo] = useState<number>()
  const mayWrite = useMay('MANAGER')
  return (
    <>
      {from && toVersion ? <VersionDiff policyId={id} from={from} to={toVersion} current={current} /> : null}
      {version ? <VersionRules policyId={id} version={version} current={current} ruleId={query.get('rule')} /> : null}
      <Listed of={list}>{(rows) => <VersionTable {...{ rows, policy, mayWrite }} onRoll={setRollingTo} />}</Listed>
      {rollingTo !== undefined && (
        <RollBack policy={policy} version={rollingTo} onClose={() => setRollingTo(undefined)} onChanged={onChanged} />
      )}
    </>
  )
}

interface VersionTableProps {
  rows: Version[]
  policy: Policy
  mayWrite: boolean
  onRoll: (version: number) => void
}

function VersionTable({ rows, policy, mayWrite, onRoll }: VersionTableProps) {
  const { id, version: current } = policy
  const compare = (from: number, version: number): string =>
    to('policies', id, { part: 'versions', from: String(from), to: String(version) })
  const columns: Columns<Version> = [
    {
      head: 'Version',
      cell: ({ version }) => (
        <>
          <strong>Version {version}</strong>
          {version === current && (
            <>
              {' '}
              <Badge status="ACTIVE" says="Current" />
            </>
          )}
        </>
      ),
    },
    {
      head: 'Change',
      cell: ({ changeType, note }) => (
        <>
          {words(changeType)}
          {note && <span class="hint"> {note}</span>}
        </>
      ),
    },
    { head: 'By', cell: ({ changedBy }) => <Who by={changedBy} /> },
    { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Rules', align: 'end', cell: ({ ruleCount }) => ruleCount },
    actionColumn(({ version }) => (
      <>
        {version > 1 && (
          <ButtonLink href={compare(version - 1, version)} label="Changes" about={`of version ${version}`} />
        )}
        {version !== current && <ButtonLink href={compare(version, current)} label="Compare" about="with current" />}
        {version !== current && mayWrite && (
          <button type="button" onClick={() => onRoll(version)} aria-label={`Roll back to version ${version}`}>
            Roll back
          </button>
        )}
      </>
    )),
  ]
  return (
    <Table caption="Versions, newest first" columns={columns} rows={rows} keyOf={({ version }) => String(version)} />
  )
}
