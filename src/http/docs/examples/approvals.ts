// Examples of approvals: approval requests, workflows, and changes that wait for approval.
import type { Examples } from './example.js'

export const APPROVALS: Examples = {
  'GET /api/approval-requests': {
    query: { status: 'PENDING' },
    sdk: "admin.approvals.list({ status: 'PENDING' })",
  },
  'GET /api/approval-requests/{approvalRequestId}': { sdk: 'admin.approvals.get(approvalRequestId)' },
  'POST /api/approval-requests/{approvalRequestId}/decision': {
    body: { decision: 'APPROVED', comment: 'As agreed' },
    sdk: "admin.approvals.approve(approvalRequestId, 'As agreed')",
  },
  'GET /api/approval-workflows': { sdk: 'admin.workflows.list()' },
  'POST /api/approval-workflows': {
    body: { name: 'Large payments', conditions: { amountAtLeast: 1000 }, requiredApprovals: 2, timeoutHours: 8 },
    sdk: 'admin.workflows.create(body)',
  },
  'GET /api/approval-workflows/{workflowId}': { sdk: 'admin.workflows.get(workflowId)' },
  'PATCH /api/approval-workflows/{workflowId}': {
    body: { requiredApprovals: 1 },
    sdk: 'admin.workflows.update(workflowId, body)',
  },
  'DELETE /api/approval-workflows/{workflowId}': { sdk: 'admin.workflows.delete(workflowId)' },
  'GET /api/governance/approvals': {
    query: { status: 'PENDING' },
    sdk: "admin.governance.list({ status: 'PENDING' })",
  },
  'GET /api/governance/approvals/{governanceApprovalRequestId}': {
    sdk: 'admin.governance.get(governanceApprovalRequestId)',
  },
  'POST /api/governance/approvals/{governanceApprovalRequestId}/decision': {
    body: { decision: 'DENIED', comment: 'Too high' },
    sdk: "admin.governance.deny(governanceApprovalRequestId, 'Too high')",
  },
  'POST /api/governance/approvals/{governanceApprovalRequestId}/collect': {
    sdk: 'admin.governance.collect(governanceApprovalRequestId)',
  },
}
