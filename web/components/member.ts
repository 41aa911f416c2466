// Reads one member. The service has no route for that, only their list.
import { api } from '../api.js'
import type { Member } from '../records.js'

const LARGEST_PAGE = 100

/** Undefined if it was removed. */
export async function readMember(memberId: string): Promise<Member | undefined> {
  for await (const one of api.list('GET /api/members', 'members', { query: { limit: LARGEST_PAGE } })) {
    if (one.id === memberId) return one
  }
  return undefined
}
