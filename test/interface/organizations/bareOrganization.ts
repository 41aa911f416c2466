// An organization on services without HTTP, whose hashes of passwords are counted.
import { createOrganization } from '../../../src/commands/organizations/organizations.js'
import type { Caller, Passwords, Services } from '../../../src/commands/ports.js'
import { done, openBare } from '../../support/commands.js'
import type { Scope } from '../../support/process.js'

/** Counts its verifications; the hash of a password is itself with its salt. */
function counting(): Passwords & { verified: number } {
  return {
    verified: 0,
    hash: async (password, salt) => password + salt,
    async verify(password, salt, stored) {
      this.verified += 1
      return { matches: stored.map((one) => one === password + salt) }
    },
    busy: () => false,
  }
}

/** The services with an organization that has no members, and a caller to act in it. */
export async function bareOrganization(scope: Scope) {
  const passwords = counting()
  const services: Services = { ...openBare(scope).services, passwords }
  const { organization } = done(await createOrganization(services, 'Organization'))
  const id = String(organization.context['id'])
  const principal = { type: 'OPERATOR', id: 'test', name: '', keyPrefix: '', organization: id, scopes: [] }
  return { services, passwords, id, admin: { principal, requestId: undefined } as Caller }
}
