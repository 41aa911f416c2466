// What the service takes and answers, as it says itself. Written by `npm run sdk:types`: do not edit.

/** Every outcome that has a code. TIMEOUT, PAYMENT_DENIED and REQUIRES_APPROVAL are seen by clients alone. */
export type Code =
  /** Send a live key (service_agent_… to /api/sdk and /mcp, service_… to others), or sign in. */
  | 'AUTH_FAILED'
  /** Use a key that has the scope of this route. */
  | 'INSUFFICIENT_SCOPE'
  /** Send cookie requests from the service's own origin, with an application/json body. */
  | 'CSRF'
  /** Use the approval token that was issued for exactly this payment. */
  | 'INVALID_TOKEN'
  /** Have another person decide your request. */
  | 'SELF_APPROVAL'
  /** See the reasons and violations of the request, and change it accordingly. */
  | 'PAYMENT_DENIED'
  /** Wait until the request is approved. */
  | 'REQUIRES_APPROVAL'
  /** Fund the wallet or choose a smaller purchase. */
  | 'INSUFFICIENT_BALANCE'
  /** Make a new request, this one has expired. */
  | 'EXPIRED'
  /** Read the current status first, it does not allow this. */
  | 'INVALID_STATUS'
  /** Have an administrator delegate a wallet to the agent. */
  | 'NO_WALLET'
  /** Choose a smaller purchase, or wait until the limit has room again. */
  | 'LIMIT_EXCEEDED'
  /** Have an administrator correct the wallet's custody configuration. */
  | 'WALLET_CONFIG_ERROR'
  /** Have the operator configure the wallet's custody provider. */
  | 'CUSTODY_NOT_CONFIGURED'
  /** Pay from the external wallet through the approve and confirm flow. */
  | 'MANUAL_EXECUTION_REQUIRED'
  /** Confirm the payment again after the time in the Retry-After header. */
  | 'NOT_CONFIRMED'
  /** Confirm the payment with the hash of its own transfer: see the details. */
  | 'TRANSFER_MISMATCH'
  /** Do not pay again, this was executed already. */
  | 'ALREADY_EXECUTED'
  /** Correct the fields named in the details. */
  | 'VALIDATION_ERROR'
  /** Correct the fields named in the details. */
  | 'INVALID_INPUT'
  /** Give an amount above 0 and below 1000000000 with at most 6 decimals. */
  | 'INVALID_AMOUNT'
  /** Give an EVM address (0x, 40 hex digits, correct checksum) or a Solana one (base58). */
  | 'INVALID_ADDRESS'
  /** Leave the card number out of the text, nothing was stored. */
  | 'CARD_NUMBER_REFUSED'
  /** Ask the recipient for their address, nothing is paid to this one. */
  | 'INVALID_RECIPIENT'
  /** Send well-formed JSON with at most 32 levels of nesting. */
  | 'INVALID_JSON'
  /** Send a smaller body. */
  | 'PAYLOAD_TOO_LARGE'
  /** Send the body as application/json. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** Check the path and the id: there is no such object. */
  | 'NOT_FOUND'
  /** Use a method that the Allow header names. */
  | 'METHOD_NOT_ALLOWED'
  /** Use the one that exists already, or choose another name or address. */
  | 'ALREADY_EXISTS'
  /** Leave the decision to others, you have decided already. */
  | 'ALREADY_DECIDED'
  /** Leave it: the same cause makes another alert. */
  | 'ALREADY_RESOLVED'
  /** Repeat the body that this key was first used with, or check the result of that request. */
  | 'IDEMPOTENCY_CONFLICT'
  /** Repeat the request as it was, or cancel the earlier payment first: see the details. */
  | 'PRICE_CHANGED'
  /** Buy on a test chain, or have the operator set up live settlement. */
  | 'TEST_SETTLEMENT'
  /** Inform the operator: the data folder holds another log than the one that was signed. */
  | 'CHECKPOINT_CONFLICT'
  /** Remove one that is no longer needed, or have the limit of the organization raised. */
  | 'LIMIT_REACHED'
  /** Remove the policy's assignments first. */
  | 'POLICY_HAS_ASSIGNMENTS'
  /** Change the policy or its tests until they agree. */
  | 'POLICY_TESTS_FAILED'
  /** Read the current version and apply the change to that. */
  | 'VERSION_CONFLICT'
  /** Wait for the time in the Retry-After header. */
  | 'RATE_LIMITED'
  /** Check the status before sending the request again. */
  | 'TIMEOUT'
  /** Try again, and report the X-Request-Id if the error persists. */
  | 'INTERNAL_ERROR'
  /** Try again shortly, the service is not ready. */
  | 'UNAVAILABLE'
  /** Send the same request again in a second. */
  | 'NO_OWNER'

export type ActorHistory = { entries: HistoryEntry[]; complete: boolean; pagination: Pagination }

export type ActorStory = {
  complete: boolean
  participants: { id: string; kind: string; name: string | null }[]
  lines: {
    sequence: number
    at: string
    kind: 'command' | 'refusal' | 'state' | 'event'
    from: string
    to: string
    text: string
    reasons: string[]
  }[]
  holds: {
    gate: string
    amount: number
    level: 'held' | 'captured' | null
    capturedAt: string | null
    state: string | null
  }[]
  refusedBy: string | null
  causes: unknown[]
}

export type AddressProof = { challenge: string; expiresAt: string } | { proved: true }

export type Agent = OwnAgent & { autoFreeze: AutoFreeze | null; frozenFor: string | null }

export type AgentActivity = {
  wallets: number
  spentToday: number
  reserved: number
  dailyLimit: number | null
  lastPayment: LastPayment | null
}

export type AgentCounterparty = {
  found: boolean
  counterparty: {
    id: string
    name: string
    /** Who gave the name; null if nobody did: the name is then the address. */
    nameSource: 'PERSON' | 'AGENT' | null
    address: string
    type: string
    category: string | null
    description: string | null
    trustScore: number
    trustLevel: 'LOW' | 'MEDIUM' | 'HIGH'
    riskLevel: 'LOW' | 'MEDIUM' | 'HIGH'
    status: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED'
  } | null
  networkTrust?: NetworkHistory
}

export type AgentImport = {
  imported: number
  resumed: number
  skipped: number
  errors: { index: number; publicKey: string; error: string; code: string }[]
  agents: { id: string; name: string }[]
}

export type AgentLimits = {
  wallets: {
    walletId: string
    currency: string
    balance: number
    perPayment: number | null
    remaining: { day: number | null; week: number | null; month: number | null }
    resetsAt: { day: string; week: string; month: string }
    openNow: boolean
    opensAt?: string
  }[]
  approvalAbove?: number
  recipients: 'ANY' | 'LISTED'
  updatedAt: string
}

export type AgentList = { agents: ListedAgent[]; total: number; limit: number; offset: number; nextCursor?: string }

export type AgentPolicies = { policies: PolicySummary[]; pagination: Pagination }

export type AgentWallets = { wallets: (Delegation & { balance: number; currency: string })[]; pagination: Pagination }

export type Alert = {
  id: string
  type: 'SPEND_LIMIT_WARNING' | 'SPEND_LIMIT_EXCEEDED' | 'BLOCKED_ADDRESS' | 'POLICY_VIOLATION' | 'UNUSUAL_ACTIVITY' | 'FAILED_TRANSACTION' | 'NEW_COUNTERPARTY' | 'HIGH_VALUE_TRANSACTION' | 'AGENT_SUSPENDED' | 'WALLET_LOW_BALANCE' | 'LOW_GAS' | 'DELIVERY_FAILING' | 'CARD_OVERCHARGE' | 'UNGOVERNED_TRANSFER'
  severity: 'INFO' | 'WARNING' | 'CRITICAL'
  status: 'ACTIVE' | 'ACKNOWLEDGED' | 'RESOLVED'
  title: string
  message: string
  agentId?: string
  walletId?: string
  paymentId?: string
  count: number
  firstAt: string
  lastAt: string
  acknowledgedBy?: Identity
  resolvedBy?: Identity
}

export type AlertList = { alerts: Alert[]; pagination: Pagination }

export type AlertSettings = { spendWarningAt: number; lowBalanceBelow: number | null; highValueAbove: number | null }

export type ApprovalDecision = {
  by: { type: string; id: string; name: string }
  decision: 'APPROVED' | 'DENIED'
  comment: string | null
  at: string
  lapsed?: true
}

export type ApprovalRequest = {
  id: string
  status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED'
  requestedBy: Identity
  requiredApprovals: number
  givenApprovals: number
  workflowId: string | null
  approverIds: string[]
  decisions: ApprovalDecision[]
  reasons: string[]
  contentHash: string
  expiresAt: string
  createdAt: string
  kind: 'PAYMENT'
  paymentRequestId: string
  payment: Payment
} | GovernanceApproval

export type ApprovalRequestList = { requests: ApprovalRequest[]; pagination: Pagination }

export type ApprovalWorkflow = {
  id: string
  name: string
  priority: number
  conditions: { amountAtLeast?: number; categories?: string[]; agentIds?: string[]; newCounterparty?: boolean }
  requiredApprovals: number
  timeoutHours: number
  onTimeout: 'DENY' | 'ESCALATE'
  approverIds: string[]
  createdAt: string
  updatedAt: string
}

export type ApprovalWorkflowList = { workflows: ApprovalWorkflow[]; pagination: Pagination }

export type AssignedCard = {
  id: string
  agentId: string
  cardId: string
  name: string
  last4: string
  brand: 'VISA' | 'MASTERCARD' | 'AMEX' | 'OTHER'
  currency: 'USD'
  spendLimitPerTx: number | null
  spendLimitDaily: number | null
  allowedHoursStart: number
  allowedHoursEnd: number
  allowedDays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[]
  blockedCategories: string[]
  timezone: string
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED'
  spentToday: number
  reserved: number
  remainingToday: number | null
  createdAt: string
  updatedAt: string
}

export type AssignedCardList = { cards: AssignedCard[]; pagination: Pagination }

export type Assignment = { id: string; agentId?: string; walletId?: string; cardId?: string; policyId: string; createdAt: string }

export type AuditEntry = {
  format: 2
  sequence: number
  id: string
  action: string
  resource: string
  resourceId: string
  actor: { type: string; id: string }
  requestId?: string
  at: string
  turn: { command: string; guard?: string; refusal?: string; refusedBy?: string; events?: string[] }
  data: unknown
  texts?: AuditText[]
  previousHash: string
  hash: string
}

export type AuditEntryList = {
  entries: AuditEntry[]
  pagination: { total?: number; limit: number; offset: number; hasMore: boolean; nextCursor?: string }
}

export type AuditLogLines = string

export type AuditText = { path: string; salt: string; text: string }

export type AutoFreeze = {
  action: 'FREEZE' | 'ALERT'
  consecutiveViolations?: number
  consecutiveFailures?: number
  hourlySpendFactor?: number
  paymentFactor?: number
  recipientsPerHour?: number
}

export type Card = {
  id: string
  name: string
  provider: 'MANUAL'
  last4: string
  brand: 'VISA' | 'MASTERCARD' | 'AMEX' | 'OTHER'
  currency: 'USD'
  spendLimitPerTx: number | null
  spendLimitDaily: number | null
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED'
  spentToday: number
  reserved: number
  remainingToday: number | null
  createdAt: string
  updatedAt: string
}

export type CardCharge = {
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  paymentKey?: string
  attempt?: number
  amount: number
  transactionReference?: string
  overcharged?: true
}

export type CardList = { cards: Card[]; pagination: Pagination }

export type CardPaid = {
  id: string
  last4: string
  brand: 'VISA' | 'MASTERCARD' | 'AMEX' | 'OTHER'
  approvedAmount: number
  transactionReference?: string
  overcharged?: true
}

export type CardPermit = {
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  paymentKey?: string
  attempt?: number
  amount: number
  approvalToken?: string
  expiresAt?: string
  reasons: string[]
  violations?: Violation[]
  violationsTotal?: number
  approvalRequestId?: string
}

export type ChangedAgent = Agent & { webhookSecret?: string }

export type Channel = {
  id: string
  name: string
  type: 'EMAIL' | 'SLACK' | 'WEBHOOK'
  status: 'ACTIVE' | 'PAUSED'
  events: ('alert.raised' | 'approval.requested' | 'approval.decided' | 'approval.escalated' | 'approval.expired')[]
  config: { [name: string]: unknown }
  lastDelivery?: { at: string; status: 'PENDING' | 'DELIVERED' | 'FAILED' }
  createdAt: string
  updatedAt: string
}

export type ChannelList = { channels: Channel[]; pagination: Pagination }

export type Checkpoint = { origin: string; size: number; root: string; head: string; checkpoint: string; verifierKey: string }

export type CheckpointKey = { algorithm: 'Ed25519'; name: string; publicKey: string; verifierKey: string }

export type Collected = InvitedMember | SigningSecret

export type CollectedNew = MintedKey | InvitedMember | CreatedChannel

export type Confirmation = {
  confirmed: true
  requestId: string
  transactionId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  paymentKey?: string
  attempt?: number
  txHash: string
}

export type Consent = { keyId: string; redirectUrl?: string }

export type ConsentRequest = {
  clientName: string
  redirectHost: string
  redirectTo: string
  clientHost?: string
  expiresAt: string
  refusalUrl: string
  granted: { agentId: string; mayExecute: boolean }[]
}

export type ConsistencyProof = Checkpoint & { from: { size: number; root: string }; hashes: string[] }

export type Counterparty = CounterpartySummary & {
  notes: string | null
  website: string | null
  averageAmount: number
  networkTrust: { globalScore: number; transactionCount: number; organizationCount: number; lastUpdated: string | null }
  updatedAt: string
}

export type CounterpartyImport = {
  imported: number
  resumed: number
  skipped: number
  errors: { index: number; address: string; error: string; code: string }[]
  counterparties: { id: string; name: string }[]
}

export type CounterpartyList = { counterparties: CounterpartySummary[]; pagination: Pagination }

export type CounterpartyLookup = {
  found: boolean
  counterparty: {
    id: string
    name: string
    /** Who gave the name; null if nobody did: the name is then the address. */
    nameSource: 'PERSON' | 'AGENT' | null
    address: string
    status: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED'
    trustScore: number
  } | null
  networkTrust: {
    globalScore: number
    transactionCount: number
    status: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED'
  }
}

export type CounterpartySummary = {
  id: string
  name: string
  /** Who gave the name; null if nobody did: the name is then the address. */
  nameSource: 'PERSON' | 'AGENT' | null
  address: string
  status: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED'
  trustScore: number
  category: 'API_PROVIDER' | 'CLOUD_SERVICES' | 'DATA_SERVICES' | 'TOOLS' | 'VENDOR' | 'CONTRACTOR' | 'REFUND' | 'OTHER'
  transactionCount: number
  totalVolume: number
  lastTransactionAt: string | null
  createdAt: string
}

export type CounterpartyTransactions = {
  transactions: {
    id: string
    amount: number
    currency: string
    status: 'PENDING' | 'SUBMITTED' | 'CONFIRMED' | 'FAILED' | 'UNKNOWN'
    agentId: string
    agentName: string
    purpose: string | null
    createdAt: string
  }[]
  summary: { totalVolume: number; transactionCount: number; averageAmount: number }
  pagination: Pagination
}

export type CreatedChannel = Channel & {
  /** Absent where a repeated request gives the first answer again. */
  secret?: string
}

export type Decision = {
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  paymentKey?: string
  attempt?: number
  amount: number
  currency: string
  recipientAddress: string | null
  reasons: string[]
  expiresAt: string
  wallet: PaidFrom | null
  policyDecision: { decisionId: string; policySetHash: string }
  approvalRequestId?: string
  approval?: { id: string; status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED' }
  deniedBy?: 'PERSON' | 'POLICY'
  execution?: ExecutedTransfer
  autoExecuteError?: { error: string; code: string }
  violations?: Violation[]
  violationsTotal?: number
  hint?: string
  context?: { wallets: WalletSummary[]; nextSteps: string[] }
  nearest?: {
    maxAmountNow?: number
    earliestAt?: string
    approvalWouldAllow: boolean
    omitted?: ('maxAmountNow' | 'earliestAt' | 'approvalWouldAllow')[]
  }
}

export type Delegation = {
  id: string
  agentId: string
  walletId: string
  delegationType: 'FULL' | 'LIMITED' | 'VIEW_ONLY' | 'PREAPPROVED' | 'ALLOWLIST'
  spendLimitPerTx: number | null
  spendLimitDaily: number | null
  spendLimitWeekly: number | null
  spendLimitMonthly: number | null
  allowedHoursStart: number
  allowedHoursEnd: number
  allowedDays: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[]
  timezone: string
  status: 'ACTIVE' | 'REVOKED'
  spent: { day: number; week: number; month: number }
  reserved: number
  remaining: { day: number | null; week: number | null; month: number | null }
  resetsAt: { day: string; week: string; month: string }
  createdAt: string
  updatedAt: string
  wallet: {
    id: string
    name: string
    address: string
    chainType: string
    chainId: string
    custodyType: string
    status: string
  }
}

export type DelegationList = { wallets: Delegation[]; pagination: Pagination }

export type Delivery = {
  id: string
  event: string
  target: string
  agentId: string | null
  channelId?: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: { at: string; statusCode?: number; error?: string; durationMs: number }[]
  nextAttemptAt: string | null
  createdAt: string
}

export type DeliveryList = { deliveries: Delivery[]; pagination: Pagination }

export type Denial = { type: string; message: string }

export type Descendants = { descendants: { type: 'KEY' | 'AGENT_KEY' | 'MEMBER'; id: string; name: string; createdBy: Identity }[] }

export type ExecutedTransfer = { transactionId: string; txHash?: string; status: string; settlementMode: 'test' | 'live' }

export type Execution = {
  transactionId: string
  txHash?: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  settlementMode: 'test' | 'live'
  requestId: string
  paymentKey?: string
  attempt?: number
  amount: number
  currency: string
  recipientAddress: string
  wallet: PaidFrom
}

export type Forecast = { limits: LimitForecast[] }

export type FoundPayment = Payment & { denial?: Denial }

export type FoundPayments = {
  payments: FoundPayment[]
  pagination: {
    /** Absent where payments have to be looked through: a page may then be short and have a nextCursor. */
    total?: number
    limit: number
    offset: number
    hasMore: boolean
    nextCursor?: string
  }
}

export type FrozenAgent = { agent: Agent; auditSequence: number; outstanding?: Outstanding[] }

export type FrozenOrganization = { organization: Organization; auditSequence: number; outstanding?: Outstanding[] }

export type GivenConditions = {
  amountAtLeast?: number | string | null | undefined
  categories?: readonly string[] | null | undefined
  agentIds?: readonly string[] | null | undefined
  newCounterparty?: boolean | null | undefined
}

export type GivenItem = {
  description: string
  /** A quantity above 0, with at most 6 decimals. */
  quantity: number | string
  /** An amount above 0, below 1000000000 and with at most 6 decimals. */
  unitAmount: number | string
}

export type GivenTest = {
  /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
  name: string
  /** Free JSON, at most 8192 bytes. */
  payment: { [name: string]: unknown }
  /** Free JSON, at most 8192 bytes. */
  facts?: { [name: string]: unknown } | undefined
  expect: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
}

export type GovernanceApproval = {
  id: string
  status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED'
  requestedBy: Identity
  requiredApprovals: number
  givenApprovals: number
  workflowId: string | null
  approverIds: string[]
  decisions: ApprovalDecision[]
  reasons: string[]
  contentHash: string
  expiresAt: string
  createdAt: string
  kind: 'GOVERNANCE'
  action: 'policy.create' | 'policy.update' | 'policy.delete' | 'policy.rollback' | 'policy.assign' | 'policy.unassign' | 'delegation.create' | 'delegation.update' | 'agent.reactivate' | 'agent.autoFreeze' | 'counterparty.trust' | 'counterparty.unblock' | 'key.create' | 'member.update' | 'workflow.update' | 'webhook.update' | 'channel.update' | 'organization.unfreeze' | 'governance.update'
  resource: string
  resourceId: string | null
  change: { method: string; path: string; query: string; body: unknown }
  application?: { status: 'WAITING' | 'APPLIED' | 'REFUSED' | 'STALE'; code?: string; error?: string }
}

export type GovernanceApprovalList = { requests: GovernanceApproval[]; pagination: Pagination }

export type Health = { status: 'ok' }

export type HistoryEntry = {
  sequence: number
  at: string
  action: string
  by: { type: string; id: string }
  requestId: string | null
  message: string
  from: string | null
  to: string
  holds: 'none' | 'held' | 'permitted' | 'captured' | null
  changed: { field: string; from: unknown; to: unknown }[]
  choice: string | null
  guard: string | null
  passedOver: string[]
  actions: string[]
  refusal: string | null
  refusedBy: string | null
  causes: unknown[]
  gate: string | null
  events: string[]
}

export type Identity = { type: string; id: string }

export type InclusionPath = { leafIndex: number; treeSize: number; hashes: string[] }

export type InclusionProof = Checkpoint & { entry: AuditEntry; proof: InclusionPath }

export type InspectStream = string

export type InspectedActor = {
  machine: string
  id: string
  version: number
  revision: number
  state: string
  context: { [name: string]: unknown }
  concealed: string[]
  waitsFor: { call: string | null; wakeAt: string | null }
  messages: {
    message: string
    choices: { name: string; guard: string | null; target: string | null; actions: string[] }[]
  }[]
  holds: { gate: string; amount: number; level: 'held' | 'captured' | null; capturedAt: string | null }[]
  refusedBy: string | null
  causes: unknown[]
}

export type InvitedMember = Member & {
  /** Absent where a repeated request gives the first answer again. */
  setupUrl?: string
}

export type KeyList = { keys: ListedKey[]; pagination: Pagination }

export type LastPayment = {
  id: string
  amount: number
  currency: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  createdAt: string
}

export type LimitForecast = {
  walletId: string
  window: 'DAY' | 'WEEK' | 'MONTH'
  limit: number
  spent: number
  reserved: number
  perHour: number
  exhaustedAt?: string
}

export type LineItem = { description: string; quantity: number; unitAmount: number }

export type ListedAgent = Agent & { activity?: AgentActivity }

export type ListedKey = {
  id: string
  name: string
  keyPrefix: string
  scopes: string[]
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  lastUsedAt: string | null
  expiresAt: string | null
  createdAt: string
  createdBy: Identity
  type: 'ORGANIZATION_KEY' | 'AGENT_KEY' | 'OAUTH'
  clientName?: string
  redirectHost?: string
}

export type ListedOrganizationKey = ListedKey & { scopePreset?: 'READ_ONLY' | 'STANDARD' | 'ADMIN' }

export type MachineDefinition = { [name: string]: unknown }

export type MachinePicture = string

export type MachineSource = string

export type Machines = {
  machines: {
    name: string
    version: number
    initial: string
    states: {
      path: string
      status: string | null
      holds: 'none' | 'held' | 'permitted' | 'captured' | null
      calls: string | null
      tells: { [name: string]: string } | null
      wakesAt: string | null
    }[]
    messages: string[]
  }[]
}

export type Member = {
  id: string
  email: string
  name: string | null
  role: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER'
  status: 'INVITED' | 'ACTIVE'
  createdAt: string
  createdBy: Identity
  lastSignInAt?: string
}

export type MemberList = { members: Member[]; pagination: Pagination }

export type Metrics = string

export type MintedKey = {
  id: string
  /** Absent where a repeated request gives the first answer again. */
  key?: string
  name: string
  keyPrefix: string
  scopes: string[]
  expiresAt?: string
  createdAt: string
}

export type NamedCounterparty = {
  id: string
  name: string
  /** Who gave the name; null if nobody did: the name is then the address. */
  nameSource: 'PERSON' | 'AGENT' | null
  address: string
  type: string
  category: string | null
  description: string | null
  trustScore: number
  trustLevel: 'LOW' | 'MEDIUM' | 'HIGH'
  riskLevel: 'LOW' | 'MEDIUM' | 'HIGH'
  created: true
}

export type NamedDelegation = Delegation & { agentName: string }

export type NetworkHistory = {
  globalScore: number
  transactionCount: number
  organizationCount: number
  successRate: number
  averageAmount: number
  firstSeen: string | null
  lastSeen: string | null
  status: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED'
  flags: ('SANCTIONED' | 'BLOCKED' | 'UNUSUAL_PATTERN' | 'FAILED_PAYMENTS' | 'NEW_ADDRESS')[]
}

export type NetworkTrust = {
  address: string
  networkTrust: NetworkHistory
  riskIndicators: { ofacMatch: boolean; highRiskCountry: boolean; unusualPattern: boolean }
}

export type NewOrganization = {
  id: string
  name: string
  /** Absent where a repeated request gives the first answer again. */
  apiKey?: string
}

export type OpenApiDocument = {
  openapi: string
  info: { [name: string]: unknown }
  servers: { [name: string]: unknown }[]
  tags: { [name: string]: unknown }[]
  paths: { [name: string]: unknown }
  components: { [name: string]: unknown }
}

export type Organization = {
  id: string
  name: string
  timezone: string
  webhookUrl: string | null
  webhookConfigured: boolean
  governance: {
    enabled: boolean
    actions: ('policy.create' | 'policy.update' | 'policy.delete' | 'policy.rollback' | 'policy.assign' | 'policy.unassign' | 'delegation.create' | 'delegation.update' | 'agent.reactivate' | 'agent.autoFreeze' | 'counterparty.trust' | 'counterparty.unblock' | 'key.create' | 'member.update' | 'workflow.update' | 'webhook.update' | 'channel.update' | 'organization.unfreeze' | 'governance.update')[]
    requiredApprovals: number
    timeoutHours: number
    strictLineage: boolean
  }
  status: 'ACTIVE' | 'FROZEN'
  paymentTimeouts: { approvedMinutes: number; approvalHours: number }
  settlementMode: 'test' | 'live'
  rateLimits: { [name: string]: number } | null
  limits: {
    payments: number | null
    agents: number | null
    policies: number | null
    counterparties: number | null
  }
}

export type OrganizationKeyList = { keys: ListedOrganizationKey[]; pagination: Pagination }

export type Outstanding = { requestId: string; amount: number; validBefore: string }

export type OwnAgent = {
  id: string
  name: string
  agentType: 'PROVIDER_A_ASSISTANT' | 'PROVIDER_B_AGENT' | 'FRAMEWORK_A' | 'FRAMEWORK_B' | 'CUSTOM'
  status: 'ACTIVE' | 'PAUSED' | 'SUSPENDED' | 'REVOKED'
  description: string | null
  publicKey: string
  externalId: string | null
  allowedContexts: string[]
  callbackUrl: string | null
  webhookConfigured: boolean
  createdAt: string
  updatedAt: string
}

export type OwnSession = { id: string; createdAt: string; lastUsedAt: string; userAgent: string | null; current: boolean }

export type OwnSessionList = { sessions: OwnSession[]; pagination: Pagination }

export type Pagination = { total: number; limit: number; offset: number; hasMore: boolean; nextCursor?: string }

export type Paging = { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }

export type PaidFrom = { id: string; address: string; chainId: string; custodyType: string; availableBalance?: number }

export type Payment = LastPayment & {
  requestId: string
  paymentKey?: string
  attempt?: number
  recipientAddress: string | null
  reasons: string[]
  expiresAt: string
  wallet: PaidFrom | null
  policyDecision: { decisionId: string; policySetHash: string }
  approvalRequestId?: string
  approval?: { id: string; status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED' }
  deniedBy?: 'PERSON' | 'POLICY'
  execution?: ExecutedTransfer
  autoExecuteError?: { error: string; code: string }
  violations?: Violation[]
  violationsTotal?: number
  hint?: string
  context: { [name: string]: unknown } | null
  nearest?: {
    maxAmountNow?: number
    earliestAt?: string
    approvalWouldAllow: boolean
    omitted?: ('maxAmountNow' | 'earliestAt' | 'approvalWouldAllow')[]
  }
  agentId: string
  rail: 'TRANSFER' | 'CARD' | 'X402'
  card?: CardPaid
  x402?: X402Resource
  recipientName: string | null
  purpose: string | null
  category: string | null
  executionContext: string | null
  urgency: 'LOW' | 'NORMAL' | 'HIGH' | 'CRITICAL'
  idempotencyKey: string | null
  sessionId: string | null
  reference: string | null
  lineItems: LineItem[] | null
  updatedAt: string
  tokenOut?: true
  transaction?: Transaction
}

export type PaymentList = { payments: Payment[]; pagination: Pagination }

export type PaymentRows = string

export type Permit = {
  approved: boolean
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  paymentKey?: string
  attempt?: number
  approvalId?: string
  approvalToken?: string
  expiresAt?: string
  confirmUrl?: string
  limits?: { dailyLimit: number | null; dailyUsed: number; dailyRemaining: number | null }
  approvalRequestId?: string
  reasons?: string[]
  violations?: Violation[]
  violationsTotal?: number
  requiresHumanApproval?: boolean
}

export type Policy = PolicySummary & {
  description: string | null
  scope: 'assigned' | 'organization'
  version: number
  contentHash: string
  rules: Rule[]
  assignments: { agents: string[]; wallets: string[]; cards: string[] }
  createdAt: string
  updatedAt: string
}

export type PolicyDraft = {
  /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
  name: string
  description?: string | null | undefined
  policyType: 'SPEND_LIMIT' | 'TIME_WINDOW' | 'CATEGORY' | 'VELOCITY' | 'APPROVAL_THRESHOLD' | 'COUNTERPARTY' | 'BUDGET_ALLOCATION' | 'WHITELIST' | 'EXPIRATION' | 'CONTRACT_ALLOWLIST' | 'BLACKOUT_PERIOD' | 'COMPOSITE'
  scope?: 'assigned' | 'organization' | undefined
  priority?: number | undefined
  isActive?: boolean | undefined
  rules?: readonly unknown[] | undefined
}

export type PolicyImpact = {
  policyId: string | null
  version: number
  replayed: number
  complete: boolean
  period: { from: string; to: string } | null
  asDecided: number
  changed: number
  changes: {
    before: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
    after: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
    count: number
  }[]
  examples: {
    paymentId: string
    agentId: string
    amount: number
    currency: string
    recipientAddress: string | null
    recipientName: string | null
    category: string | null
    at: string
    before: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
    after: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
    violations: Violation[]
  }[]
  failingTests: { name: string; message: string }[]
}

export type PolicyList = { policies: Policy[]; pagination: Pagination }

export type PolicyOrRuleSet = Policy | RuleSet

export type PolicySummary = {
  id: string
  name: string
  policyType: 'SPEND_LIMIT' | 'TIME_WINDOW' | 'CATEGORY' | 'VELOCITY' | 'APPROVAL_THRESHOLD' | 'COUNTERPARTY' | 'BUDGET_ALLOCATION' | 'WHITELIST' | 'EXPIRATION' | 'CONTRACT_ALLOWLIST' | 'BLACKOUT_PERIOD' | 'COMPOSITE'
  priority: number
  isActive: boolean
}

export type PolicyTemplate = {
  id: string
  name: string
  description: string
  policyType: 'SPEND_LIMIT' | 'TIME_WINDOW' | 'CATEGORY' | 'VELOCITY' | 'APPROVAL_THRESHOLD' | 'COUNTERPARTY' | 'BUDGET_ALLOCATION' | 'WHITELIST' | 'EXPIRATION' | 'CONTRACT_ALLOWLIST' | 'BLACKOUT_PERIOD' | 'COMPOSITE'
  rules: RuleContent[]
}

export type PolicyTemplates = { templates: PolicyTemplate[] }

export type PolicyTests = {
  tests: {
    name: string
    payment: { [name: string]: unknown }
    facts: { [name: string]: unknown }
    expect: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
  }[]
}

export type PolicyTrace = {
  policyId: string
  policyVersion: number
  policyName: string
  contentHash: string
  rules: {
    ruleId: string
    ruleType: string
    operator: string | null
    value: unknown
    action: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL'
    outcome: 'PASSED' | 'DENIED' | 'REQUIRES_APPROVAL' | 'NOT_APPLICABLE'
    facts: { [name: string]: unknown }
    explanation: string
  }[]
}

export type PolicyVersion = {
  version: number
  changeType: 'CREATED' | 'UPDATED' | 'RULES_UPDATED' | 'ROLLED_BACK' | 'DELETED'
  changedBy: { type: string; id: string; name: string }
  note: string | null
  ruleCount: number
  contentHash: string
  createdAt: string
}

export type QueuedDelivery = { deliveryId: string }

export type Readiness = {
  status: 'ready'
  /** SINGLE without other nodes. A STANDBY sends requests on to the OWNER of its shard. */
  role: 'SINGLE' | 'OWNER' | 'STANDBY'
  /** Which organizations the node serves; 0 is the first shard. */
  shard: string
  /** Raised with each new owner of the shard; 0 without other nodes. */
  epoch: number
  /** The number of the last commit that this node has durably. */
  applied: number
  /** How many commits the node is behind its owner; 0 for any but a STANDBY. */
  lag: number
  /** What an operator should look at; absent where there is nothing. */
  warnings?: string[]
}

export type Receipt = {
  format: 'bursar-receipt/1'
  requestId: string
  organization: { id: string }
  request: {
    agentId: string
    walletId: string
    delegationId: string
    amount: number
    currency: string
    asset: string | null
    chainType: string
    recipientAddress: string
    recipientName: string | null
    purpose: string | null
    category: string | null
    context: unknown
    executionContext: string | null
    urgency: string
    idempotencyKey: string | null
    paymentKey?: string
    attempt?: number
    sessionId?: string | null
    reference?: string | null
    lineItems?: LineItem[] | null
    wallet: { id: string; address: string; chainId: string; custodyType: string }
    requestedAt: string
  }
  facts: { [name: string]: unknown }
  decision: {
    id: string
    policySetHash: string
    outcome: string
    violations: ReceiptViolation[]
    policies: { id: string; version: number }[]
    timezone: string
    preapproval: boolean
  }
  outcome: { status: string; causes: ReceiptViolation[] }
  settlement: ExecutedTransfer & { executedAt: string } | null
  policies: { id: string; version: number; priority: number; contentHash: string; rules: Rule[] }[]
  approvals: {
    id: string
    status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED'
    requestedAt: string
    decisions: ApprovalDecision[]
  }[]
  auditEntries: { entry: AuditEntry; proof: InclusionPath }[]
  checkpoint: string
  verifierKey: string
}

export type ReceiptViolation = {
  type: string
  policyId?: string
  policyVersion?: number
  ruleId?: string
  limit?: number
  current?: number
  unit?: string
  message: string
}

export type RelatedCounterparties = {
  counterparties: (CounterpartySummary & { relationship: { kind: 'TRANSACTS_WITH'; createdAt: string } })[]
  pagination: Pagination
}

export type Removed = {
  success: true
  descendants?: { type: 'KEY' | 'AGENT_KEY' | 'MEMBER'; id: string; name: string }[]
  revoked?: { type: 'KEY' | 'AGENT_KEY' | 'MEMBER'; id: string; name: string }[]
}

export type Replay = {
  requestId: string
  policySetHash: string
  outcome: string
  violations: Violation[]
  matches: boolean
  policies: PolicyTrace[]
}

export type RequestedPayment = {
  /** An amount above 0, below 1000000000 and with at most 6 decimals. */
  amount: number | string
  /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
  recipientAddress: string
  /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
  recipientName?: string | undefined
  purpose?: string | undefined
  category?: string | undefined
  currency?: 'USDC' | undefined
  sessionId?: string | undefined
  reference?: string | undefined
  lineItems?: readonly GivenItem[] | undefined
  idempotencyKey?: string | undefined
  /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
  paymentKey?: string | undefined
  /** Free JSON, at most 8192 bytes. */
  context?: { [name: string]: unknown } | undefined
  walletId?: string | undefined
  chainId?: string | number | undefined
  executionContext?: string | undefined
  urgency?: 'LOW' | 'NORMAL' | 'HIGH' | 'CRITICAL' | undefined
  autoExecute?: boolean | undefined
}

export type Rule = RuleContent & { id: string }

export type RuleContent = { ruleType: string; operator: string | null; value: unknown; action: string }

export type RuleSet = {
  id: string
  version: number
  contentHash: string
  facts: string[]
  rules: {
    name: string
    conditions: { [name: string]: unknown }
    event: { type: string; params: { [name: string]: unknown } }
  }[]
}

export type Sanctions = {
  list: string | null
  source: string | null
  date: string | null
  count: number
  origin: 'SHIPPED' | 'LOADED'
  warning: string | null
}

export type Session = { member: Member; organization: { id: string; name: string }; expiresAt: string }

export type SetUpLink = {
  email: string
  name: string | null
  status: 'INVITED' | 'ACTIVE'
  choosesEmail: boolean
  organization: { id: string; name: string }
  expiresAt: string
}

export type Setup = {
  agent: OwnAgent
  organization: { id: string; name: string }
  wallets: (Delegation & { balance: number; currency: string })[]
  policies: PolicySummary[]
  key: { name: string; keyPrefix: string; scopes: string[]; expiresAt: string | null }
  settlementMode: 'test' | 'live'
}

export type SigningSecret = {
  /** Absent where a repeated request gives the first answer again. */
  webhookSecret?: string
}

export type SlackUser = { id: string; channelId: string; teamId: string; userId: string; userName: string; linkedAt: string }

export type SlackUserList = { slackUsers: SlackUser[]; pagination: Pagination }

export type Stats = { from: string; to: string; timezone: string; rows: StatsRow[]; totals: StatsTotals; nextCursor?: string }

export type StatsExecuted = { count: number; amount: number; fees: number }

export type StatsRow = StatsTotals & {
  day?: string
  week?: string
  month?: string
  agentId?: string
  walletId?: string
  policyId?: string
  category?: string
  counterpartyId?: string
  status?: string
  name?: string
}

export type StatsSum = { count: number; amount: number }

export type StatsTotals = {
  requested: StatsSum
  approved: StatsSum
  denied: StatsSum
  pendingApproval: StatsSum
  executed: StatsExecuted
  failed: StatsSum
}

export type Success = { success: true }

export type TestPayment = Decision & {
  test: true
  recipient: {
    address: string
    name: string | null
    /** REQUEST: as asked. LAST_PAID: whom the agent has paid last. TEST_ADDRESS: it has paid nobody, and nobody has this address. */
    chosenBy: 'REQUEST' | 'LAST_PAID' | 'TEST_ADDRESS'
  }
}

export type TracedPayment = Payment & {
  trace: {
    outcome: string
    violations: Violation[]
    policies: PolicyTrace[]
    refusal?: { gate: string; violations: Violation[] }
    request?: {
      decisionId: string
      policySetHash: string
      outcome: string
      violations: Violation[]
      policies: PolicyTrace[]
    }
  }
}

export type Transaction = {
  id: string
  status: 'PENDING' | 'SUBMITTED' | 'CONFIRMED' | 'FAILED' | 'UNKNOWN'
  txHash?: string
  settlementMode: 'test' | 'live'
  confirmedAt?: string
}

export type TransactionList = { transactions: TransactionRecord[]; pagination: Pagination }

export type TransactionRecord = Transaction & {
  requestId: string
  amount: number
  currency: string
  recipientAddress: string | null
  walletId: string | null
  agentId: string
  agentName: string
  purpose: string | null
  category: string | null
  createdAt: string
}

export type VerifiedAuditLog = { valid: boolean; entries: number; head: string | null; firstBrokenSequence?: number }

export type VersionDiff = {
  policyId: string
  from: number
  to: number
  diff: { fields: { field: string; from: unknown; to: unknown }[]; rulesAdded: Rule[]; rulesRemoved: Rule[] }
}

export type VersionList = { versions: PolicyVersion[]; pagination: Pagination }

export type Violation = {
  type: string
  policyId?: string
  policyVersion?: number
  ruleId?: string
  /** The most that is allowed; of INSUFFICIENT_BALANCE the balance of the wallet. */
  limit?: number
  /** What counts against the limit before this payment; of INSUFFICIENT_BALANCE what other payments hold of the balance. Of PER_TX_LIMIT and AMOUNT_LIMIT, which limit one payment, its amount. Absent where VELOCITY_LIMIT is exceeded already. */
  current?: number
  message: string
}

export type Wallet = {
  id: string
  name: string
  address: string
  addressProved: boolean
  walletType: string
  chainType: 'EVM' | 'SOLANA'
  chainId: string
  custodyType: 'MANAGED' | 'PROVIDER_A' | 'PROVIDER_B' | 'EXTERNAL' | 'SMART_CONTRACT'
  enforcement: 'SIGNER' | 'COOPERATIVE'
  balance: number
  reserved: number
  currency: string
  status: 'ACTIVE' | 'FROZEN' | 'ARCHIVED'
  createdAt: string
  updatedAt: string
}

export type WalletDelegationList = { delegations: NamedDelegation[]; pagination: Pagination }

export type WalletList = { wallets: Wallet[]; pagination: Pagination }

export type WalletSummary = { id: string; address: string; chainId: string; custodyType: string; balance: number }

export type Webhook = {
  url: string | null
  webhookConfigured: boolean
  previousSecretExpiresAt: string | null
  webhookSecret?: string
}

export type WholeAgent = Agent & { wallets: Delegation[]; policies: PolicySummary[]; _count: { sentTransactions: number } }

export type WholeVersion = PolicyVersion & {
  snapshot: {
    name: string
    description: string | null
    policyType: 'SPEND_LIMIT' | 'TIME_WINDOW' | 'CATEGORY' | 'VELOCITY' | 'APPROVAL_THRESHOLD' | 'COUNTERPARTY' | 'BUDGET_ALLOCATION' | 'WHITELIST' | 'EXPIRATION' | 'CONTRACT_ALLOWLIST' | 'BLACKOUT_PERIOD' | 'COMPOSITE'
    scope: 'assigned' | 'organization'
    priority: number
    isActive: boolean
    rules: Rule[]
  }
}

export type X402Authorization = {
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  attempt: number
  paymentKey: string
  amount: number
  selected?: X402Offer
  paymentPayload?: { [name: string]: unknown }
  headers?: { [name: string]: string }
  validBefore?: string
  typedData?: { [name: string]: unknown }
  approvalToken?: string
  approvalRequestId?: string
  reasons: string[]
  violations?: Violation[]
  violationsTotal?: number
  hint?: string
  nearest?: {
    maxAmountNow?: number
    earliestAt?: string
    approvalWouldAllow: boolean
    omitted?: ('maxAmountNow' | 'earliestAt' | 'approvalWouldAllow')[]
  }
}

export type X402Offer = { scheme: string; network: string; asset: string; payTo: string; amount: string }

export type X402Resource = { host: string; method: string; path: string; validBefore?: string; delivered?: false }

export type X402Service = {
  host: string
  payTo: string[]
  payments: number
  total: number
  lastAt: string | null
  days?: { day: string; total: number }[]
}

export type X402Services = { services: X402Service[]; pagination: Pagination }

export type X402Settlement = {
  requestId: string
  status: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  amount: number
  txHash?: string
  delivered?: false
  validBefore?: string
}

export interface Operations {
  /** Remove an agent with its keys and delegations */
  'DELETE /api/agents/{agentId}': { answer: Success }
  /** Take a card from an agent */
  'DELETE /api/agents/{agentId}/cards': { query: { cardId: string }; answer: Success }
  /** Unassign a policy */
  'DELETE /api/agents/{agentId}/policies': { query: { policyId: string }; answer: Success }
  /** Revoke an agent key */
  'DELETE /api/agents/{agentId}/sdk-keys': {
    query: { keyId: string; cascade?: true | false | undefined }
    answer: Removed
  }
  /** Revoke a delegation */
  'DELETE /api/agents/{agentId}/wallets': { query: { walletId: string }; answer: Success }
  /** Revoke an organization key */
  'DELETE /api/api-keys': { query: { keyId: string; cascade?: true | false | undefined }; answer: Removed }
  /** Remove an approval workflow */
  'DELETE /api/approval-workflows/{workflowId}': { answer: Success }
  /** Unassign a policy */
  'DELETE /api/cards/{cardId}/policies': { query: { policyId: string }; answer: Success }
  /** Remove a notification channel */
  'DELETE /api/channels/{channelId}': { answer: Success }
  /** Remove a counterparty; its payments, and a block, stay with the address */
  'DELETE /api/counterparties/{counterpartyId}': { answer: Success }
  /** Sign out elsewhere */
  'DELETE /api/members/me/sessions': { query: { sessionId: string }; answer: Success }
  /** Unlink a Slack user: its presses count no more */
  'DELETE /api/members/me/slack': { query: { slackUserId: string }; answer: Success }
  /** Remove a member and end its sessions */
  'DELETE /api/members/{memberId}': { query: { cascade?: true | false | undefined }; answer: Removed }
  /** Remove a policy; its versions stay */
  'DELETE /api/policies/{policyId}': { answer: Success }
  /** Remove a rule */
  'DELETE /api/policies/{policyId}/rules/{ruleId}': { query: { force?: true | false | undefined }; answer: Policy }
  /** Sign out */
  'DELETE /api/session': { answer: Success }
  /** Remove a wallet and its delegations */
  'DELETE /api/wallets/{walletId}': { answer: Success }
  /** Unassign a policy */
  'DELETE /api/wallets/{walletId}/policies': { query: { policyId: string }; answer: Success }
  /** Remove the event endpoint of the organization */
  'DELETE /api/webhooks': { answer: Success }
  /** List agents */
  'GET /api/agents': {
    query: Paging & {
      status?: 'ACTIVE' | 'PAUSED' | 'SUSPENDED' | 'REVOKED' | undefined
      search?: string | undefined
      include?: 'activity' | undefined
    }
    answer: AgentList
  }
  /** Read an agent with its wallets and policies */
  'GET /api/agents/{agentId}': { answer: WholeAgent }
  /** List the cards that an agent may pay with */
  'GET /api/agents/{agentId}/cards': { query: Paging; answer: AssignedCardList }
  /** List the counterparties that an agent has named itself, with POST /api/sdk/counterparties */
  'GET /api/agents/{agentId}/counterparties': { query: Paging; answer: RelatedCounterparties }
  /** When an agent's spending limits will be used up, going by the last day */
  'GET /api/agents/{agentId}/forecast': { answer: Forecast }
  /** What an agent may spend now */
  'GET /api/agents/{agentId}/limits': { answer: AgentLimits }
  /** List an agent's keys */
  'GET /api/agents/{agentId}/sdk-keys': { query: Paging; answer: KeyList }
  /** List an agent's delegations */
  'GET /api/agents/{agentId}/wallets': { query: Paging; answer: DelegationList }
  /** List alerts */
  'GET /api/alerts': {
    query: Paging & {
      status?: 'ACTIVE' | 'ACKNOWLEDGED' | 'RESOLVED' | undefined
      severity?: 'INFO' | 'WARNING' | 'CRITICAL' | undefined
      type?: 'SPEND_LIMIT_WARNING' | 'SPEND_LIMIT_EXCEEDED' | 'BLOCKED_ADDRESS' | 'POLICY_VIOLATION' | 'UNUSUAL_ACTIVITY' | 'FAILED_TRANSACTION' | 'NEW_COUNTERPARTY' | 'HIGH_VALUE_TRANSACTION' | 'AGENT_SUSPENDED' | 'WALLET_LOW_BALANCE' | 'LOW_GAS' | 'DELIVERY_FAILING' | 'CARD_OVERCHARGE' | 'UNGOVERNED_TRANSFER' | undefined
      agentId?: string | undefined
    }
    answer: AlertList
  }
  /** Read what raises alerts */
  'GET /api/alerts/settings': { answer: AlertSettings }
  /** Read an alert */
  'GET /api/alerts/{alertId}': { answer: Alert }
  /** List organization keys */
  'GET /api/api-keys': { query: Paging; answer: OrganizationKeyList }
  /** What a key created, directly or through others, and still gives access */
  'GET /api/api-keys/{keyId}/descendants': { answer: Descendants }
  /** List approval requests */
  'GET /api/approval-requests': {
    query: Paging & { status?: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED' | undefined }
    answer: ApprovalRequestList
  }
  /** Read an approval request */
  'GET /api/approval-requests/{approvalRequestId}': { answer: ApprovalRequest }
  /** List approval workflows */
  'GET /api/approval-workflows': { query: Paging; answer: ApprovalWorkflowList }
  /** Read an approval workflow */
  'GET /api/approval-workflows/{workflowId}': { answer: ApprovalWorkflow }
  /** List audit entries, newest first */
  'GET /api/audit-logs': {
    query: Paging & {
      action?: string | undefined
      resource?: string | undefined
      resourceId?: string | undefined
      actorId?: string | undefined
      from?: string | undefined
      to?: string | undefined
      format?: 'raw' | undefined
    }
    answer: AuditEntryList
  }
  /** The signed head of the audit log and the root of the tree over it */
  'GET /api/audit-logs/checkpoint': { answer: Checkpoint }
  /** Proof that the log of an older checkpoint is the beginning of the log of today */
  'GET /api/audit-logs/consistency': { query: { from: number; to?: number | undefined }; answer: ConsistencyProof }
  /** The whole audit log, oldest first, a raw entry a line in its RFC 8785 form */
  'GET /api/audit-logs/export': { answer: string }
  /** The key that signs checkpoints */
  'GET /api/audit-logs/public-key': { answer: CheckpointKey }
  /** Verify the whole audit log */
  'GET /api/audit-logs/verify': { answer: VerifiedAuditLog }
  /** An audit entry, and proof that it is in the log of a checkpoint */
  'GET /api/audit-logs/{sequence}/proof': {
    query: { size?: number | undefined; format?: 'raw' | undefined }
    answer: InclusionProof
  }
  /** List cards */
  'GET /api/cards': { query: Paging & { status?: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | undefined }; answer: CardList }
  /** Read a card */
  'GET /api/cards/{cardId}': { answer: Card }
  /** List notification channels */
  'GET /api/channels': { query: Paging; answer: ChannelList }
  /** Read a notification channel */
  'GET /api/channels/{channelId}': { answer: Channel }
  /** List counterparties */
  'GET /api/counterparties': {
    query: Paging & { status?: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED' | undefined; search?: string | undefined }
    answer: CounterpartyList
  }
  /** Find a counterparty by its address */
  'GET /api/counterparties/lookup': {
    query: {
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address: string
    }
    answer: CounterpartyLookup
  }
  /** The network trust of an address: the payments of all organizations to it */
  'GET /api/counterparties/network-trust': {
    query: {
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address: string
    }
    answer: NetworkTrust
  }
  /** Read a counterparty */
  'GET /api/counterparties/{counterpartyId}': { answer: Counterparty }
  /** List the transactions with a counterparty */
  'GET /api/counterparties/{counterpartyId}/transactions': { query: Paging; answer: CounterpartyTransactions }
  /** List changes that require or required approval */
  'GET /api/governance/approvals': {
    query: Paging & { status?: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED' | undefined }
    answer: GovernanceApprovalList
  }
  /** Read a change that requires or required approval */
  'GET /api/governance/approvals/{governanceApprovalRequestId}': { answer: GovernanceApproval }
  /** Follow the machines at work, as server-sent events */
  'GET /api/inspect/stream': { query: { after?: number | undefined; seconds?: number | undefined }; answer: string }
  /** Every machine: its states with their status, holds, calls and wake times, and the messages it takes */
  'GET /api/machines': { answer: Machines }
  /** A machine's definition, as XState and its visualizer take it */
  'GET /api/machines/{machine}': { answer: MachineDefinition }
  /** The statechart of a machine, drawn */
  'GET /api/machines/{machine}.svg': { answer: string }
  /** The present state of an actor: context without secrets, holds at its gates, possible next steps */
  'GET /api/machines/{machine}/actors/{actorId}': { answer: InspectedActor }
  /** The latest commands that changed an actor, newest first, with the guards, actions and refusals of each */
  'GET /api/machines/{machine}/actors/{actorId}/history': { query: Paging; answer: ActorHistory }
  /** The commands, refusals, states and events of an actor in order, and its holds */
  'GET /api/machines/{machine}/actors/{actorId}/story': { answer: ActorStory }
  /** The statechart as one self-contained source file, to paste into the visualizer */
  'GET /api/machines/{machine}/source': { answer: string }
  /** List the members */
  'GET /api/members': { query: Paging; answer: MemberList }
  /** The sessions of the signed-in person */
  'GET /api/members/me/sessions': { query: Paging; answer: OwnSessionList }
  /** List the Slack users that are linked to the signed-in person */
  'GET /api/members/me/slack': { query: Paging; answer: SlackUserList }
  /** What a member created, directly or through others, and would still give access without them */
  'GET /api/members/{memberId}/descendants': { answer: Descendants }
  /** What a client of OAuth asks the signed-in person for */
  'GET /api/oauth/consent': { query: { request: string }; answer: ConsentRequest }
  /** Read the organization */
  'GET /api/organization': { answer: Organization }
  /** List payments, or look for some of them */
  'GET /api/payments': {
    query: Paging & {
      rail?: 'TRANSFER' | 'CARD' | 'X402' | undefined
      status?: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey?: string | undefined
      sessionId?: string | undefined
      reference?: string | undefined
      agentId?: string | undefined
      from?: string | undefined
      to?: string | undefined
      /** A part of the recipient's address or name, the purpose, the reference or the id, in any letter case. */
      search?: string | undefined
      /** An amount 0 or more, below 1000000000 and with at most 6 decimals. */
      amountMin?: number | string | undefined
      /** An amount 0 or more, below 1000000000 and with at most 6 decimals. */
      amountMax?: number | string | undefined
      walletId?: string | undefined
      counterpartyId?: string | undefined
      category?: string | undefined
      policyId?: string | undefined
      violation?: 'AGENT_NOT_ACTIVE' | 'WALLET_NOT_ACTIVE' | 'DELEGATION_NOT_ALLOWED' | 'INSUFFICIENT_BALANCE' | 'PER_TX_LIMIT' | 'DAILY_LIMIT' | 'WEEKLY_LIMIT' | 'MONTHLY_LIMIT' | 'BUDGET_EXCEEDED' | 'TIME_WINDOW' | 'BLACKOUT_PERIOD' | 'EXPIRED_PERMISSION' | 'CONTEXT_NOT_ALLOWED' | 'BLOCKED_COUNTERPARTY' | 'SANCTIONED_ADDRESS' | 'WHITELIST_VIOLATION' | 'CATEGORY_RESTRICTION' | 'VELOCITY_LIMIT' | 'TRUST_SCORE' | 'COUNTERPARTY_STATUS' | 'CONTRACT_NOT_ALLOWED' | 'AMOUNT_LIMIT' | 'COMPOSITE' | 'UNUSUAL_ACTIVITY' | 'CARD_NOT_ACTIVE' | 'RAIL_NOT_ALLOWED' | 'ASSET_NOT_ALLOWED' | 'X402_PRICE_CEILING' | 'X402_SERVICE_LIMIT' | 'X402_SERVICE_NOT_ALLOWED' | 'X402_SERVICE_BLOCKED' | 'POLICY_ERROR' | undefined
    }
    answer: FoundPayments
  }
  /** Payments as CSV, newest first; one export of an organization at a time */
  'GET /api/payments/export': {
    query: {
      rail?: 'TRANSFER' | 'CARD' | 'X402' | undefined
      status?: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey?: string | undefined
      sessionId?: string | undefined
      reference?: string | undefined
      agentId?: string | undefined
      from?: string | undefined
      to?: string | undefined
      /** A part of the recipient's address or name, the purpose, the reference or the id, in any letter case. */
      search?: string | undefined
      /** An amount 0 or more, below 1000000000 and with at most 6 decimals. */
      amountMin?: number | string | undefined
      /** An amount 0 or more, below 1000000000 and with at most 6 decimals. */
      amountMax?: number | string | undefined
      walletId?: string | undefined
      counterpartyId?: string | undefined
      category?: string | undefined
      policyId?: string | undefined
      violation?: 'AGENT_NOT_ACTIVE' | 'WALLET_NOT_ACTIVE' | 'DELEGATION_NOT_ALLOWED' | 'INSUFFICIENT_BALANCE' | 'PER_TX_LIMIT' | 'DAILY_LIMIT' | 'WEEKLY_LIMIT' | 'MONTHLY_LIMIT' | 'BUDGET_EXCEEDED' | 'TIME_WINDOW' | 'BLACKOUT_PERIOD' | 'EXPIRED_PERMISSION' | 'CONTEXT_NOT_ALLOWED' | 'BLOCKED_COUNTERPARTY' | 'SANCTIONED_ADDRESS' | 'WHITELIST_VIOLATION' | 'CATEGORY_RESTRICTION' | 'VELOCITY_LIMIT' | 'TRUST_SCORE' | 'COUNTERPARTY_STATUS' | 'CONTRACT_NOT_ALLOWED' | 'AMOUNT_LIMIT' | 'COMPOSITE' | 'UNUSUAL_ACTIVITY' | 'CARD_NOT_ACTIVE' | 'RAIL_NOT_ALLOWED' | 'ASSET_NOT_ALLOWED' | 'X402_PRICE_CEILING' | 'X402_SERVICE_LIMIT' | 'X402_SERVICE_NOT_ALLOWED' | 'X402_SERVICE_BLOCKED' | 'POLICY_ERROR' | undefined
    }
    answer: string
  }
  /** Read a payment and the trace of its decision */
  'GET /api/payments/{paymentId}': { answer: TracedPayment }
  /** The receipt of a payment: one self-contained file with proofs */
  'GET /api/payments/{paymentId}/receipt': { answer: Receipt }
  /** List policies */
  'GET /api/policies': {
    query: Paging & {
      isActive?: true | false | undefined
      policyType?: 'SPEND_LIMIT' | 'TIME_WINDOW' | 'CATEGORY' | 'VELOCITY' | 'APPROVAL_THRESHOLD' | 'COUNTERPARTY' | 'BUDGET_ALLOCATION' | 'WHITELIST' | 'EXPIRATION' | 'CONTRACT_ALLOWLIST' | 'BLACKOUT_PERIOD' | 'COMPOSITE' | undefined
      search?: string | undefined
      walletId?: string | undefined
    }
    answer: PolicyList
  }
  /** Read a policy, or the json-rules-engine rule set that it compiles to */
  'GET /api/policies/{policyId}': { query: { format?: 'json-rules-engine' | undefined }; answer: PolicyOrRuleSet }
  /** Read a policy with its rules */
  'GET /api/policies/{policyId}/rules': { answer: Policy }
  /** Read a policy's tests */
  'GET /api/policies/{policyId}/tests': { answer: PolicyTests }
  /** The versions of a policy, newest first */
  'GET /api/policies/{policyId}/versions': { query: Paging; answer: VersionList }
  /** The differences between two versions */
  'GET /api/policies/{policyId}/versions/compare': { query: { from: number; to: number }; answer: VersionDiff }
  /** Read a version with all its rules */
  'GET /api/policies/{policyId}/versions/{version}': { answer: WholeVersion }
  /** List policy templates */
  'GET /api/policy-templates': { answer: PolicyTemplates }
  /** The sanctions list in force */
  'GET /api/sanctions': { answer: Sanctions }
  /** List the agent's cards */
  'GET /api/sdk/cards': { query: Paging; answer: AssignedCardList }
  /** What the organization knows of an address */
  'GET /api/sdk/counterparties': {
    query: {
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address: string
    }
    answer: AgentCounterparty
  }
  /** What the agent may spend now */
  'GET /api/sdk/limits': { answer: AgentLimits }
  /** List the agent's payments, or find one by its idempotency key */
  'GET /api/sdk/payments': {
    query: Paging & {
      rail?: 'TRANSFER' | 'CARD' | 'X402' | undefined
      status?: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey?: string | undefined
      sessionId?: string | undefined
      reference?: string | undefined
      idempotencyKey?: string | undefined
    }
    answer: PaymentList
  }
  /** The status of a payment */
  'GET /api/sdk/payments/{paymentId}': { answer: Payment }
  /** The policies that apply to the agent */
  'GET /api/sdk/policies': { query: Paging; answer: AgentPolicies }
  /** The agent of the key, and the wallets that it may spend from */
  'GET /api/sdk/setup': { answer: Setup }
  /** List the agent's transactions */
  'GET /api/sdk/transactions': {
    query: Paging & { from?: string | undefined; to?: string | undefined }
    answer: TransactionList
  }
  /** The wallets the agent may spend from */
  'GET /api/sdk/wallets': { query: Paging; answer: AgentWallets }
  /** List the services that the agent has paid by x402, in its latest 1,000 payments by it */
  'GET /api/sdk/x402/services': { query: Paging; answer: X402Services }
  /** Read the signed-in person */
  'GET /api/session': { answer: Session }
  /** Sums of payments over a time */
  'GET /api/stats': {
    query: {
      from?: string | undefined
      to?: string | undefined
      /** Rows by one of agent, wallet, policy, category, counterparty, status, one of day, week, month, or both, such as agent,day. */
      by?: string | undefined
      agentId?: string | undefined
      walletId?: string | undefined
      policyId?: string | undefined
      category?: string | undefined
      counterpartyId?: string | undefined
      status?: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED' | 'EXECUTING' | 'EXECUTED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | undefined
      cursor?: string | undefined
    }
    answer: Stats
  }
  /** List transactions */
  'GET /api/transactions': {
    query: Paging & { from?: string | undefined; to?: string | undefined; agentId?: string | undefined }
    answer: TransactionList
  }
  /** Read a transaction */
  'GET /api/transactions/{transactionId}': { answer: TransactionRecord }
  /** List wallets */
  'GET /api/wallets': {
    query: Paging & {
      status?: 'ACTIVE' | 'FROZEN' | 'ARCHIVED' | undefined
      chainType?: 'EVM' | 'SOLANA' | undefined
      custodyType?: 'MANAGED' | 'PROVIDER_A' | 'PROVIDER_B' | 'EXTERNAL' | 'SMART_CONTRACT' | undefined
      search?: string | undefined
    }
    answer: WalletList
  }
  /** Read a wallet */
  'GET /api/wallets/{walletId}': { answer: Wallet }
  /** List the delegations in force of a wallet: who may spend from it, and how much */
  'GET /api/wallets/{walletId}/delegations': { query: Paging; answer: WalletDelegationList }
  /** Read the event endpoint */
  'GET /api/webhooks': { answer: Webhook }
  /** List deliveries; finished ones are kept for seven days */
  'GET /api/webhooks/deliveries': {
    query: Paging & { status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined }
    answer: DeliveryList
  }
  /** List the services that the organization has paid by x402 */
  'GET /api/x402/services': { query: Paging; answer: X402Services }
  /** Liveness: whether the process answers */
  'GET /healthz': { answer: Health }
  /** Metrics in the Prometheus text format */
  'GET /metrics': { answer: string }
  /** This description */
  'GET /openapi.json': { answer: OpenApiDocument }
  /** Readiness: whether the service accepts requests */
  'GET /readyz': { answer: Readiness }
  /** Change an agent */
  'PATCH /api/agents/{agentId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      status?: 'ACTIVE' | 'PAUSED' | 'SUSPENDED' | 'REVOKED' | undefined
      description?: string | null | undefined
      callbackUrl?: string | null | undefined
      autoFreeze?: {
        action?: 'FREEZE' | 'ALERT' | undefined
        consecutiveViolations?: number | undefined
        consecutiveFailures?: number | undefined
        hourlySpendFactor?: number | undefined
        paymentFactor?: number | undefined
        recipientsPerHour?: number | undefined
      } | null | undefined
    }
    answer: ChangedAgent
  }
  /** Change the terms of a delegation; null removes a limit and resets hours, days and time zone */
  'PATCH /api/agents/{agentId}/wallets/{walletId}': {
    body: {
      delegationType?: 'FULL' | 'LIMITED' | 'VIEW_ONLY' | 'PREAPPROVED' | 'ALLOWLIST' | null | undefined
      spendLimitPerTx?: number | string | null | undefined
      spendLimitDaily?: number | string | null | undefined
      spendLimitWeekly?: number | string | null | undefined
      spendLimitMonthly?: number | string | null | undefined
      allowedHoursStart?: number | null | undefined
      allowedHoursEnd?: number | null | undefined
      allowedDays?: readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[] | null | undefined
      timezone?: string | null | undefined
    }
    answer: Delegation
  }
  /** Change what raises alerts */
  'PATCH /api/alerts/settings': {
    body: {
      spendWarningAt?: number | undefined
      lowBalanceBelow?: number | string | null | undefined
      highValueAbove?: number | string | null | undefined
    }
    answer: AlertSettings
  }
  /** Change an approval workflow; it applies to payments requested from now on */
  'PATCH /api/approval-workflows/{workflowId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      priority?: number | null | undefined
      conditions?: GivenConditions | null | undefined
      requiredApprovals?: number | null | undefined
      timeoutHours?: number | null | undefined
      onTimeout?: 'DENY' | 'ESCALATE' | null | undefined
      approverIds?: readonly string[] | null | undefined
    }
    answer: ApprovalWorkflow
  }
  /** Change a card; null removes a limit, and CANCELLED is permanent */
  'PATCH /api/cards/{cardId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      last4?: string | undefined
      brand?: 'VISA' | 'MASTERCARD' | 'AMEX' | 'OTHER' | undefined
      spendLimitPerTx?: number | string | null | undefined
      spendLimitDaily?: number | string | null | undefined
      status?: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | undefined
    }
    answer: Card
  }
  /** Change a notification channel, pause or resume it; `config` is replaced as a whole */
  'PATCH /api/channels/{channelId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      events?: readonly ('alert.raised' | 'approval.requested' | 'approval.decided' | 'approval.escalated' | 'approval.expired')[] | undefined
      config?: { [name: string]: unknown } | undefined
      status?: 'ACTIVE' | 'PAUSED' | undefined
    }
    answer: Channel
  }
  /** Change a member */
  'PATCH /api/members/{memberId}': {
    body: { name?: string | null | undefined; role?: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER' | undefined }
    answer: Member
  }
  /** Change the organization */
  'PATCH /api/organization': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      timezone?: string | null | undefined
      governance?: {
        enabled?: boolean | null | undefined
        actions?: readonly ('policy.create' | 'policy.update' | 'policy.delete' | 'policy.rollback' | 'policy.assign' | 'policy.unassign' | 'delegation.create' | 'delegation.update' | 'agent.reactivate' | 'agent.autoFreeze' | 'counterparty.trust' | 'counterparty.unblock' | 'key.create' | 'member.update' | 'workflow.update' | 'webhook.update' | 'channel.update' | 'organization.unfreeze' | 'governance.update')[] | null | undefined
        requiredApprovals?: number | null | undefined
        timeoutHours?: number | null | undefined
        strictLineage?: boolean | null | undefined
      } | null | undefined
      paymentTimeouts?: { approvedMinutes?: number | null | undefined; approvalHours?: number | null | undefined } | null | undefined
    }
    answer: Organization
  }
  /** Limit how many records an organization keeps */
  'PATCH /api/organizations/{organizationId}': {
    body: {
      limits: {
        payments?: number | null | undefined
        agents?: number | null | undefined
        policies?: number | null | undefined
        counterparties?: number | null | undefined
      } | null
    }
    answer: Organization
  }
  /** Change a policy's metadata */
  'PATCH /api/policies/{policyId}': {
    query: { force?: true | false | undefined }
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      description?: string | null | undefined
      scope?: 'assigned' | 'organization' | null | undefined
      priority?: number | null | undefined
      isActive?: boolean | null | undefined
    }
    answer: Policy
  }
  /** Edit a rule */
  'PATCH /api/policies/{policyId}/rules/{ruleId}': {
    query: { force?: true | false | undefined }
    body: {
      ruleType?: 'MAX_AMOUNT' | 'DAILY_LIMIT' | 'WEEKLY_LIMIT' | 'MONTHLY_LIMIT' | 'BUDGET_CAP' | 'VELOCITY_LIMIT' | 'TIME_WINDOW' | 'DAY_OF_WEEK' | 'DATE_RANGE' | 'BLACKOUT_PERIOD' | 'ALLOWED_CATEGORIES' | 'BLOCKED_CATEGORIES' | 'ALLOWED_COUNTERPARTIES' | 'BLOCKED_COUNTERPARTIES' | 'COUNTERPARTY_STATUS' | 'TRUST_SCORE' | 'REQUIRE_APPROVAL_ABOVE' | 'NEW_COUNTERPARTY' | 'CONTRACT_ALLOWLIST' | 'ALLOWED_RAILS' | 'CARD_ALLOWED_MCCS' | 'CARD_BLOCKED_MCCS' | 'CARD_MAX_AMOUNT' | 'X402_MAX_PER_REQUEST' | 'X402_MAX_PER_SERVICE' | 'X402_ALLOWED_SERVICES' | 'X402_BLOCKED_SERVICES' | 'ALL_OF' | 'ANY_OF' | undefined
      operator?: 'LTE' | 'LT' | 'GTE' | 'GREATER_THAN' | 'EQUALS' | 'BETWEEN' | 'NOT_BETWEEN' | 'IN_LIST' | 'NOT_IN_LIST' | null | undefined
      /** Free JSON, at most 262144 bytes. */
      value?: unknown | undefined
      action?: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL' | null | undefined
    }
    answer: Policy
  }
  /** Change a wallet */
  'PATCH /api/wallets/{walletId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      status?: 'ACTIVE' | 'FROZEN' | 'ARCHIVED' | undefined
    }
    answer: Wallet
  }
  /** Register an agent */
  'POST /api/agents': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      agentType: 'PROVIDER_A_ASSISTANT' | 'PROVIDER_B_AGENT' | 'FRAMEWORK_A' | 'FRAMEWORK_B' | 'CUSTOM'
      description?: string | undefined
      /** An address: 0x and 40 hex digits. */
      publicKey?: string | undefined
      externalId?: string | undefined
      allowedContexts?: readonly string[] | undefined
    }
    answer: Agent
  }
  /** Register many agents at once */
  'POST /api/agents/bulk-import': {
    body: {
      agents: readonly {
        /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
        name: string
        /** An address: 0x and 40 hex digits. */
        publicKey: string
        agentType?: 'PROVIDER_A_ASSISTANT' | 'PROVIDER_B_AGENT' | 'FRAMEWORK_A' | 'FRAMEWORK_B' | 'CUSTOM' | undefined
        description?: string | undefined
        externalId?: string | undefined
      }[]
      skipExisting?: boolean | undefined
    }
    answer: AgentImport
  }
  /** Let an agent pay with a card */
  'POST /api/agents/{agentId}/cards': {
    body: {
      cardId: string
      spendLimitPerTx?: number | string | null | undefined
      spendLimitDaily?: number | string | null | undefined
      allowedHoursStart?: number | undefined
      allowedHoursEnd?: number | undefined
      allowedDays?: readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[] | undefined
      blockedCategories?: readonly string[] | undefined
    }
    answer: AssignedCard
  }
  /** Freeze an agent: none of its payments is executed */
  'POST /api/agents/{agentId}/freeze': { body: { reason: string }; answer: FrozenAgent }
  /** Assign a policy */
  'POST /api/agents/{agentId}/policies': { body: { policyId: string }; answer: Assignment }
  /** Create an agent key */
  'POST /api/agents/{agentId}/sdk-keys': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      expiresInDays?: number | undefined
      scopes?: readonly ('payments:request' | 'payments:execute' | 'payments:approve' | 'payments:confirm' | 'payments:read' | 'wallets:read' | 'transactions:read' | 'policies:read' | 'counterparties:read' | 'counterparties:write' | 'network:read')[] | undefined
    }
    answer: MintedKey
  }
  /** Try a payment of an agent: decides as its request would now, and stores nothing */
  'POST /api/agents/{agentId}/test-payment': {
    body: {
      /** An amount above 0, below 1000000000 and with at most 6 decimals. */
      amount: number | string
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      recipientAddress?: string | undefined
    }
    answer: TestPayment
  }
  /** Unfreeze an agent */
  'POST /api/agents/{agentId}/unfreeze': { body: { reason?: string | undefined } | undefined; answer: FrozenAgent }
  /** Delegate a wallet to an agent */
  'POST /api/agents/{agentId}/wallets': {
    body: {
      walletId: string
      delegationType?: 'FULL' | 'LIMITED' | 'VIEW_ONLY' | 'PREAPPROVED' | 'ALLOWLIST' | null | undefined
      spendLimitPerTx?: number | string | null | undefined
      spendLimitDaily?: number | string | null | undefined
      spendLimitWeekly?: number | string | null | undefined
      spendLimitMonthly?: number | string | null | undefined
      allowedHoursStart?: number | null | undefined
      allowedHoursEnd?: number | null | undefined
      allowedDays?: readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[] | null | undefined
      timezone?: string | null | undefined
    }
    answer: Delegation
  }
  /** Say that somebody has seen an alert; its cause still counts in it */
  'POST /api/alerts/{alertId}/acknowledge': { answer: Alert }
  /** Resolve an alert: its cause raises another one */
  'POST /api/alerts/{alertId}/resolve': { answer: Alert }
  /** Create an organization key */
  'POST /api/api-keys': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      scopePreset: 'READ_ONLY' | 'STANDARD' | 'ADMIN'
      expiresInDays?: number | undefined
    }
    answer: MintedKey
  }
  /** Approve or deny a payment that an agent has requested, or a change */
  'POST /api/approval-requests/{approvalRequestId}/decision': {
    body: { decision: 'APPROVED' | 'DENIED'; comment?: string | null | undefined }
    answer: ApprovalRequest
  }
  /** Create an approval workflow */
  'POST /api/approval-workflows': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      priority?: number | undefined
      conditions?: GivenConditions | undefined
      requiredApprovals?: number | undefined
      timeoutHours?: number | undefined
      onTimeout?: 'DENY' | 'ESCALATE' | undefined
      approverIds?: readonly string[] | undefined
    }
    answer: ApprovalWorkflow
  }
  /** Register a card */
  'POST /api/cards': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      provider?: 'MANUAL' | undefined
      last4: string
      brand: 'VISA' | 'MASTERCARD' | 'AMEX' | 'OTHER'
      spendLimitPerTx?: number | string | null | undefined
      spendLimitDaily?: number | string | null | undefined
    }
    answer: Card
  }
  /** Assign a policy */
  'POST /api/cards/{cardId}/policies': { body: { policyId: string }; answer: Assignment }
  /** Create a notification channel; for a WEBHOOK, this answers its signing secret */
  'POST /api/channels': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      type: 'EMAIL' | 'SLACK' | 'WEBHOOK'
      events: readonly ('alert.raised' | 'approval.requested' | 'approval.decided' | 'approval.escalated' | 'approval.expired')[]
      config: { [name: string]: unknown }
    }
    answer: CreatedChannel
  }
  /** Send a test message to a notification channel */
  'POST /api/channels/{channelId}/test': { answer: QueuedDelivery }
  /** Register a counterparty */
  'POST /api/counterparties': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address: string
      category?: 'API_PROVIDER' | 'CLOUD_SERVICES' | 'DATA_SERVICES' | 'TOOLS' | 'VENDOR' | 'CONTRACTOR' | 'REFUND' | 'OTHER' | undefined
      status?: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED' | undefined
      notes?: string | undefined
      website?: string | undefined
    }
    answer: Counterparty
  }
  /** Register many counterparties at once */
  'POST /api/counterparties/import': {
    body: {
      counterparties: readonly {
        /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
        name: string
        /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
        address: string
        category?: 'API_PROVIDER' | 'CLOUD_SERVICES' | 'DATA_SERVICES' | 'TOOLS' | 'VENDOR' | 'CONTRACTOR' | 'REFUND' | 'OTHER' | undefined
        status?: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED' | undefined
      }[]
    }
    answer: CounterpartyImport
  }
  /** Block all payments to a counterparty */
  'POST /api/counterparties/{counterpartyId}/block': { body: { reason: string }; answer: Counterparty }
  /** Trust a counterparty */
  'POST /api/counterparties/{counterpartyId}/trust': { body: { reason: string }; answer: Counterparty }
  /** Unblock a counterparty */
  'POST /api/counterparties/{counterpartyId}/unblock': { answer: Counterparty }
  /** Apply an approved change that shows a secret; only its requester can, and only once */
  'POST /api/governance/approvals/{governanceApprovalRequestId}/collect': { answer: Collected | CollectedNew }
  /** Approve or deny a change that another person or key has requested */
  'POST /api/governance/approvals/{governanceApprovalRequestId}/decision': {
    body: { decision: 'APPROVED' | 'DENIED'; comment?: string | null | undefined }
    answer: GovernanceApproval
  }
  /** Invite a member */
  'POST /api/members': {
    body: {
      email: string
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      role: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER'
    }
    answer: InvitedMember
  }
  /** Link a Slack user to the signed-in person, with the token of the link that a press was answered with */
  'POST /api/members/me/slack': { body: { token: string }; answer: SlackUser }
  /** Create a new set-up link for a member who has no password yet */
  'POST /api/members/{memberId}/invite': { answer: InvitedMember }
  /** Create a link for another member to reset the password */
  'POST /api/members/{memberId}/reset-password': { answer: InvitedMember }
  /** Let a client of OAuth act for an agent, in the name of the signed-in person */
  'POST /api/oauth/consent': {
    body: {
      request: string
      clientName: string
      redirectHost: string
      agentId: string
      mayExecute?: boolean | undefined
    }
    answer: Consent
  }
  /** Freeze the organization: none of its payments is executed */
  'POST /api/organization/freeze': { body: { reason: string }; answer: FrozenOrganization }
  /** Unfreeze the organization */
  'POST /api/organization/unfreeze': { answer: FrozenOrganization }
  /** Create another organization */
  'POST /api/organizations': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
    }
    answer: NewOrganization
  }
  /** Release a payment that is not executed, and end its holds */
  'POST /api/payments/{paymentId}/release': {
    body: { reason: string; allowRetry?: boolean | undefined }
    answer: Payment
  }
  /** Decide a payment again on its stored facts */
  'POST /api/payments/{paymentId}/replay': {
    body: { policies?: 'stored' | 'current' | undefined } | undefined
    answer: Replay
  }
  /** Create a policy */
  'POST /api/policies': { body: PolicyDraft & { agentIds?: readonly string[] | undefined }; answer: Policy }
  /** Dry run of a payment request; nothing is stored */
  'POST /api/policies/evaluate': { body: { agentId: string; payment: RequestedPayment }; answer: Decision }
  /** Impact of a new policy: which of the last 1,000 decisions it would change; nothing is stored */
  'POST /api/policies/impact': {
    query: { examples?: number | undefined }
    body: { policy: PolicyDraft; agentIds?: readonly string[] | undefined }
    answer: PolicyImpact
  }
  /** Impact of an edit: which of the last 1,000 decisions it would change; nothing is stored */
  'POST /api/policies/{policyId}/impact': {
    query: { examples?: number | undefined }
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      description?: string | null | undefined
      scope?: 'assigned' | 'organization' | null | undefined
      priority?: number | null | undefined
      isActive?: boolean | null | undefined
      rules?: readonly unknown[] | undefined
    }
    answer: PolicyImpact
  }
  /** Add a rule, or several as {rules} */
  'POST /api/policies/{policyId}/rules': {
    query: { force?: true | false | undefined }
    body: { [name: string]: unknown }
    answer: Policy
  }
  /** Roll back to a version, as a new version; the policy stays active or inactive */
  'POST /api/policies/{policyId}/versions/{version}/rollback': {
    query: { force?: true | false | undefined }
    body: { note?: string | undefined } | undefined
    answer: Policy
  }
  /** Request a payment on a card, and a token to pay it */
  'POST /api/sdk/cards/approve': {
    body: {
      cardId: string
      /** An amount above 0, below 1000000000 and with at most 6 decimals. */
      amount: number | string
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      merchantName: string
      merchantCategory: string
      purpose?: string | undefined
      reference?: string | undefined
      lineItems?: readonly GivenItem[] | undefined
      idempotencyKey?: string | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey?: string | undefined
    }
    answer: CardPermit
  }
  /** Request the token to pay an approved payment with its card */
  'POST /api/sdk/cards/{requestId}/approve': { answer: CardPermit }
  /** Confirm what a card was charged with, or that it was not charged */
  'POST /api/sdk/cards/{requestId}/confirm': {
    body: {
      approvalToken: string
      transactionReference: string
      /** An amount 0 or more, below 1000000000 and with at most 6 decimals. */
      amount: number | string
      status: 'COMPLETED' | 'VOIDED'
    }
    answer: CardCharge
  }
  /** Register a counterparty, or update the one with this address; `created` is true in both cases */
  'POST /api/sdk/counterparties': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address: string
      type?: string | undefined
      category?: string | undefined
      description?: string | undefined
    }
    answer: NamedCounterparty
  }
  /** Request a payment from an external wallet, and a permit to pay it */
  'POST /api/sdk/payments/approve': {
    body: {
      /** An amount above 0, below 1000000000 and with at most 6 decimals. */
      amount: number | string
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      recipientAddress: string
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      recipientName?: string | undefined
      purpose?: string | undefined
      category?: string | undefined
      currency?: 'USDC' | undefined
      sessionId?: string | undefined
      reference?: string | undefined
      lineItems?: readonly GivenItem[] | undefined
      idempotencyKey?: string | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey?: string | undefined
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      senderAddress: string
      chainId: string | number
    }
    answer: Permit
  }
  /** Request a payment */
  'POST /api/sdk/payments/request': { body: RequestedPayment; answer: Decision }
  /** Confirm a payment with the hash of its transfer */
  'POST /api/sdk/payments/{approvalId}/confirm': { body: { txHash: string; approvalToken: string }; answer: Confirmation }
  /** Request a permit to pay an approved payment from its external wallet */
  'POST /api/sdk/payments/{paymentId}/approve': { answer: Permit }
  /** Cancel a payment that is not executed */
  'POST /api/sdk/payments/{paymentId}/cancel': { answer: Payment }
  /** Execute an approved payment, once */
  'POST /api/sdk/payments/{paymentId}/execute': { answer: Execution }
  /** Decide on what a server asks for with HTTP 402, and sign it */
  'POST /api/sdk/x402/authorize': {
    body: {
      /** What the server answered with HTTP 402: the header PAYMENT-REQUIRED as text, or what it decodes to. Version 2 of x402. */
      paymentRequired: string | { x402Version: 2; accepts: readonly { [name: string]: unknown }[] }
      resource: { url: string; method?: string | undefined }
      /** An amount above 0, below 1000000000 and with at most 6 decimals. */
      maxAmount?: number | string | undefined
      /** The invoice or order number. The same purchase has the same key in every call: it is paid once. */
      paymentKey: string
      walletId?: string | undefined
    }
    answer: X402Authorization
  }
  /** Tell what the server answered to a payment by x402 */
  'POST /api/sdk/x402/{requestId}/settle': {
    body: {
      /** What the server said of the payment: the header PAYMENT-RESPONSE as text, or what it decodes to. */
      paymentResponse?: string | { success: boolean; network: string } | undefined
      httpStatus?: number | undefined
      error?: string | undefined
    } | undefined
    answer: X402Settlement
  }
  /** Sign in */
  'POST /api/session': { body: { email: string; password: string; organizationId?: string | undefined }; answer: Session }
  /** Change the password; ends every session and starts a new one */
  'POST /api/session/password': { body: { currentPassword: string; newPassword: string }; answer: Session }
  /** Set a password with a set-up link, and sign in */
  'POST /api/session/setup': {
    body: {
      token: string
      password: string
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      email?: string | undefined
    }
    answer: Session
  }
  /** Read whom a set-up link is for */
  'POST /api/session/setup-link': { body: { token: string }; answer: SetUpLink }
  /** Create a wallet, or return the existing one with this address on this chain */
  'POST /api/wallets': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name: string
      custodyType: 'MANAGED' | 'PROVIDER_A' | 'PROVIDER_B' | 'EXTERNAL' | 'SMART_CONTRACT'
      chainType?: 'EVM' | 'SOLANA' | undefined
      chainId?: string | number | undefined
      /** An address: 0x and 40 hex digits with a right checksum where the case is mixed, or base58 of 32 bytes (Solana). */
      address?: string | undefined
      walletType?: string | undefined
    }
    answer: Wallet
  }
  /** Add to the simulated balance */
  'POST /api/wallets/{walletId}/fund': {
    body: {
      /** An amount above 0, below 1000000000 and with at most 6 decimals. */
      amount: number | string
    }
    answer: Wallet
  }
  /** Assign a policy */
  'POST /api/wallets/{walletId}/policies': { body: { policyId: string }; answer: Assignment }
  /** Prove that the organization controls the wallet's address: ask for a challenge, then send its signature */
  'POST /api/wallets/{walletId}/proof': { body: { signature?: string | undefined } | undefined; answer: AddressProof }
  /** Send an event again, as a new delivery */
  'POST /api/webhooks/deliveries/{deliveryId}/redeliver': { answer: QueuedDelivery }
  /** Create a new signing secret; the previous one also signs for a day */
  'POST /api/webhooks/rotate-secret': { answer: SigningSecret }
  /** Send a test event to the event endpoint */
  'POST /api/webhooks/test': { answer: QueuedDelivery }
  /** Change a counterparty */
  'PUT /api/counterparties/{counterpartyId}': {
    body: {
      /** Not white space alone, without control and bidirectional formatting characters. Compared trimmed. */
      name?: string | undefined
      status?: 'TRUSTED' | 'VERIFIED' | 'UNKNOWN' | 'BLOCKED' | undefined
      category?: 'API_PROVIDER' | 'CLOUD_SERVICES' | 'DATA_SERVICES' | 'TOOLS' | 'VENDOR' | 'CONTRACTOR' | 'REFUND' | 'OTHER' | null | undefined
      notes?: string | null | undefined
      website?: string | null | undefined
    }
    answer: Counterparty
  }
  /** Replace all rules */
  'PUT /api/policies/{policyId}/rules': {
    query: { force?: true | false | undefined }
    body: { rules: readonly unknown[] }
    answer: Policy
  }
  /** Replace a policy's tests; a change that makes one fail is refused */
  'PUT /api/policies/{policyId}/tests': {
    body: { tests: readonly GivenTest[] } | readonly GivenTest[]
    answer: PolicyTests
  }
  /** Set the event endpoint; the first answer has its signing secret */
  'PUT /api/webhooks': { body: { url: string }; answer: Webhook }
}
