// Facts of notifications for tests.
import type { AlertNotice, ApprovalNotice } from '../../src/notifications/notice.js'

export function approvalNotice(more: Partial<ApprovalNotice> = {}): ApprovalNotice {
  return {
    organizationId: 'o1',
    organizationName: 'Acme',
    approvalRequestId: 'a1',
    paymentRequestId: 'p1',
    contentHash: 'c0ffee',
    status: 'PENDING',
    agentId: 'g1',
    agentName: 'buyer',
    amount: 1250.5,
    currency: 'USDC',
    recipientAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    recipientName: 'Paper mill',
    purpose: 'Printer paper',
    category: 'office',
    reference: 'INV-1',
    lineItems: [{ description: 'Ream', quantity: 50, unitAmount: 25.01 }],
    reasons: ['1250.5 is above 1000: a person has to approve'],
    today: { amount: 2000, limit: 5000 },
    step: 0,
    requiredApprovals: 2,
    decisions: [],
    expiresAt: '2026-03-01T10:30:00.000Z',
    decisionUrl: 'https://bursar.acme.com/approvals/a1',
    ...more,
  }
}

export function alertNotice(more: Partial<AlertNotice> = {}): AlertNotice {
  return {
    organizationId: 'o1',
    organizationName: 'Acme',
    alertId: 'l1',
    type: 'POLICY_VIOLATION',
    severity: 'WARNING',
    title: 'Denied by a policy',
    message: 'buyer was denied',
    agentId: 'g1',
    count: 1,
    firstAt: '2026-03-01T10:30:00.000Z',
    lastAt: '2026-03-01T10:30:00.000Z',
    alertUrl: 'https://bursar.acme.com/#/alerts/l1',
    ...more,
  }
}
