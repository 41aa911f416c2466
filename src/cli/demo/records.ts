// The fields of the service's answers that the demo reads.

export interface Named {
  id: string
  status: string
}

export interface Wallet extends Named {
  address: string
  balance: number
}

export interface DemoWindows {
  day: number
  week: number
  month: number
}

export interface Delegation extends Named {
  delegationType: string
  spent: DemoWindows
  /** Counts against each of the three windows. */
  reserved: number
  remaining: { day: number | null }
}

export interface MintedKey {
  key: string
  keyPrefix: string
  scopes: string[]
}

export interface DemoViolation {
  type: string
  limit?: number
  current?: number
}

export interface Payment {
  requestId: string
  status: string
  amount: number
  reasons: string[]
  violations?: DemoViolation[]
  hint?: string
  transaction?: Transaction
}

export interface Transaction {
  status: string
  txHash?: string
}

export interface DemoFailure {
  code: string
}
