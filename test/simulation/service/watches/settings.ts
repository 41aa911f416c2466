// At the end the settings are as the answers left them: what waited for an approval, or was refused, changed nothing.
import type {
  Delegation as DelegationRecord,
  Member as MemberRecord,
  Organization as Whole,
  Policy,
} from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { Organization } from '../organization.js'
import type { Watch, World } from '../world.js'
import { everyOne, read } from './reading.js'

export class Settings implements Watch {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      await this.#organization(organization)
      await this.#people(organization)
      await this.#delegations(organization)
      await this.#recipients(organization)
    }
  }

  async #organization(organization: Organization): Promise<void> {
    const whole = await read<Whole>(this.#world, organization, '/api/organization')
    const { enabled, actions, requiredApprovals } = whole.governance
    const { governance, name } = organization
    same(name, 'governance', { enabled, requiredApprovals }, governance, ['enabled', 'requiredApprovals'])
    same(name, 'governed actions', [...actions].sort(), [...governance.actions].sort())
    same(name, 'status', whole.status, organization.isFrozen ? 'FROZEN' : 'ACTIVE')
    same(name, 'endpoint', whole.webhookConfigured, organization.webhook !== null)
    const { policy } = organization
    const { rules, version } = await read<Policy>(this.#world, organization, `/api/policies/${policy!.id}`)
    same(name, 'rule', rules[0]?.value, policy!.approvalAbove)
    same(name, 'version of the policy', version, policy!.version)
  }

  async #people(organization: Organization): Promise<void> {
    const members = await everyOne<MemberRecord>(this.#world, organization, '/api/members')
    const known = organization.members.filter(({ isRemoved }) => !isRemoved)
    same(organization.name, 'members', roles(members), roles(known))
  }

  async #delegations(organization: Organization): Promise<void> {
    for (const agent of organization.agents) {
      const path = `/api/agents/${agent.id}/wallets`
      const records = await everyOne<DelegationRecord>(this.#world, organization, path)
      for (const { walletId, spendLimitDaily: daily, spendLimitPerTx: perTx } of records) {
        const known = organization.delegations.find((each) => each.agent === agent && each.wallet.id === walletId)!
        same(agent.name, 'limits', { daily, perTx }, known, ['daily', 'perTx'])
      }
    }
  }

  async #recipients(organization: Organization): Promise<void> {
    for (const { id, status, address } of organization.recipients.filter((each) => each.id !== undefined)) {
      const record = await read<{ status: string }>(this.#world, organization, `/api/counterparties/${id}`)
      same(address, 'status', record.status, status)
    }
  }
}

function roles(members: readonly { id: string; role: string }[]): string[] {
  return members.map(({ id, role }) => `${id} ${role}`).sort()
}

function same(who: string, what: string, shown: unknown, known: unknown, fields?: string[]): void {
  const [is, was] = [shown, known].map((each) => JSON.stringify(each, fields?.toSorted()))
  demand('kept', is === was, () => `the ${what} of ${who} is ${is}, and was answered ${was}`)
}
