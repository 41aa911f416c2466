// The policy templates, in the order in which they are offered.
import { approvalAbove } from './approvalAbove.js'
import { businessHours } from './businessHours.js'
import { cloudBudget } from './cloudBudget.js'
import { dailyCap } from './dailyCap.js'
import { freezeWindow } from './freezeWindow.js'
import { newVendorApproval } from './newVendorApproval.js'
import { velocityGuard } from './velocityGuard.js'
import { vendorAllowList } from './vendorAllowList.js'
import type { Template } from './template.js'

export type { Template } from './template.js'

export const TEMPLATES: readonly Template[] = [
  dailyCap,
  businessHours,
  vendorAllowList,
  approvalAbove,
  newVendorApproval,
  cloudBudget,
  velocityGuard,
  freezeWindow,
]
