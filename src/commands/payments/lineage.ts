// Strict lineage: the identities, besides the requester, that may not approve a change because it concerns their own
// actions.
import { agentKeysOf } from '../../../machines/key.js'
import type { ChangeContext } from '../../../machines/change.js'
import type { Identity } from '../../domain/access/principal.js'
import { countedAs } from './approvalTerms.js'
import type { Services } from '../ports.js'

/** The last editor of the changed policy, and the makers of the live keys of the agent concerned. */
export async function lineageOf(
  services: Services,
  { ref, heldRequest }: Pick<ChangeContext, 'ref' | 'heldRequest'>,
): Promise<Identity[]> {
  const editors = ref?.startsWith('policy/') === true ? lastEditor(services, ref as `policy/${string}`) : []
  return [...editors, ...(await keyMakers(services, heldRequest.params['agentId']))]
}

function lastEditor(services: Services, ref: `policy/${string}`): Identity[] {
  const policy = services.host.peek(ref)
  const { type, id } = policy!.context.change!.changedBy
  return [countedAs(services, { type: type as Identity['type'], id })]
}

async function keyMakers({ query }: Services, agentId: string | undefined): Promise<Identity[]> {
  const keys = agentId === undefined ? [] : await query.all(agentKeysOf(agentId))
  return keys.filter(({ state }) => state === 'active').flatMap((key) => key.context.fields.countsAs ?? [])
}
