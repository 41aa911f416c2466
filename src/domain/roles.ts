// What people may do: each role stands for scopes. That only owners manage members is no scope, because a key may have
// every scope and yet count as a person who is no owner.
import { PRESETS, type OrganizationScope } from './scopes.js'

export const ROLES = ['OWNER', 'ADMIN', 'MANAGER', 'VIEWER'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_SCOPES: Record<Role, readonly OrganizationScope[]> = {
  OWNER: PRESETS.ADMIN,
  ADMIN: PRESETS.ADMIN,
  MANAGER: PRESETS.STANDARD,
  VIEWER: PRESETS.READ_ONLY,
}
