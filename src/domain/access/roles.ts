// The roles of people, as scopes. Managing members has no scope: it belongs to owners, and a key with every scope may
// still count as a person who is no owner.
import { PRESETS, type OrganizationScope } from './scopes.js'

export const ROLES = ['OWNER', 'ADMIN', 'MANAGER', 'VIEWER'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_SCOPES: Record<Role, readonly OrganizationScope[]> = {
  OWNER: PRESETS.ADMIN,
  ADMIN: PRESETS.ADMIN,
  MANAGER: PRESETS.STANDARD,
  VIEWER: PRESETS.READ_ONLY,
}
