// The agents, wallets and cards that a policy is assigned to, with assigning and unassigning.
import { api, everyOne } from '../api.js'
import { AssignForm } from '../components/assignForm.js'
import { Confirm, Opening } from '../components/dialog.js'
import type { Once } from '../components/form.js'
import { Section } from '../components/page.js'
import { Notice, When } from '../components/loadingStates.js'
import { actionColumn, RowLink, Table, type Columns } from '../components/table.js'
import { short, words } from '../format/words.js'
import { useLoad, type Loaded } from '../load.js'
import { to } from '../router.js'
import { useMay } from '../session.js'
import type { Policy } from '../records.js'

interface Subject {
  id: string
  name: string
  href: string
}

/** Of agents no more are offered: the others' own pages assign policies, too. */
const LARGEST_PAGE = 100

export function AppliesTo({ policy, onChanged }: { policy: Policy; onChanged: () => void }) {
  const { id: policyId, name: policyName, scope, assignments } = policy
  const agents = useLoad(async () => {
    const found = await api.call('GET /api/agents', { query: { limit: LARGEST_PAGE } })
    return found.agents.map(({ id, name }): Subject => ({ id, name, href: to('agents', id) }))
  }, [])
  const wallets = useLoad(async () => {
    const found = await everyOne(api.list('GET /api/wallets', 'wallets', { query: { limit: LARGEST_PAGE } }))
    return found.map(({ id, name }): Subject => ({ id, name, href: to('wallets') }))
  }, [])
  const cards = useLoad(async () => {
    const found = await everyOne(api.list('GET /api/cards', 'cards', { query: { limit: LARGEST_PAGE } }))
    return found.map(({ id, name }): Subject => ({ id, name, href: to('cards') }))
  }, [])
  if (scope === 'organization') {
    return (
      <Notice>
        The policy applies to every agent of the organization, whichever wallet or card it pays with. Change this under
        Edit details.
      </Notice>
    )
  }
  const body = { policyId }
  return (
    <>
      <Subjects
        of={agents}
        noun="agent"
        policyName={policyName}
        assigned={assignments.agents}
        onChanged={onChanged}
        assign={(agentId, once) => api.call('POST /api/agents/{agentId}/policies', { path: { agentId }, body }, once)}
        remove={(agentId) => api.call('DELETE /api/agents/{agentId}/policies', { path: { agentId }, query: body })}
      />
      <Subjects
        of={wallets}
        noun="wallet"
        policyName={policyName}
        assigned={assignments.wallets}
        onChanged={onChanged}
        assign={(walletId, once) =>
          api.call('POST /api/wallets/{walletId}/policies', { path: { walletId }, body }, once)
        }
        remove={(walletId) => api.call('DELETE /api/wallets/{walletId}/policies', { path: { walletId }, query: body })}
      />
      <Subjects
        of={cards}
        noun="card"
        policyName={policyName}
        assigned={assignments.cards}
        onChanged={onChanged}
        assign={(cardId, once) => api.call('POST /api/cards/{cardId}/policies', { path: { cardId }, body }, once)}
        remove={(cardId) => api.call('DELETE /api/cards/{cardId}/policies', { path: { cardId }, query: body })}
      />
    </>
  )
}

const LEADS = {
  agent: 'Applies to every payment of these agents.',
  wallet: 'Applies to every payment from these wallets, by any agent.',
  card: 'Applies to every payment on these cards, by any agent.',
}

interface SubjectsProps {
  of: Loaded<Subject[]>
  noun: keyof typeof LEADS
  policyName: string
  assigned: readonly string[]
  assign: (id: string, once: Once) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
  onChanged: () => void
}

function Subjects({ of, noun, policyName, assigned, assign, remove, onChanged }: SubjectsProps) {
  const mayWrite = useMay(noun === 'card' ? 'ADMIN' : 'MANAGER')
  const free = (of.data ?? []).filter(({ id }) => !assigned.includes(id))
  const label = words(noun)
  const more = mayWrite && free.length > 0 && (
    <Opening label={`Assign to ${noun}`} title={`Assign to ${noun}`}>
      <AssignForm label={label} from={free} assign={assign} onDone={onChanged} />
    </Opening>
  )
  const columns: Columns<Subject> = [
    { head: label, cell: ({ name, href }) => <RowLink href={href}>{name}</RowLink> },
    mayWrite &&
      actionColumn(({ id, name }) => (
        <Confirm
          label="Unassign"
          title={`Unassign ${policyName} from ${name}?`}
          danger
          act={() => remove(id)}
          after={onChanged}
          done={`${name} was unassigned`}
        >
          The policy no longer applies to its payments.
        </Confirm>
      )),
  ]
  const subjectOf = (id: string, known: Subject[]): Subject =>
    known.find((one) => one.id === id) ?? { id, name: short(id), href: to(`${noun}s`) }
  return (
    <Section title={`${label}s`} actions={more} lead={LEADS[noun]}>
      <When of={of} rows={2}>
        {(known) =>
          assigned.length === 0 ? (
            <p class="hint">Assigned to no {noun}.</p>
          ) : (
            <Table
              caption={`Assigned ${noun}s`}
              columns={columns}
              rows={assigned.map((id) => subjectOf(id, known))}
              keyOf={({ id }) => id}
            />
          )
        }
      </When>
    </Section>
  )
}
