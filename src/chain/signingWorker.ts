// The thread that signs typed data with the keys of the keystore. It keeps no key after its answer.
import { workerData } from 'node:worker_threads'
import { doTasks } from '../async/taskThread.js'
import type { TypedData } from '../domain/payment/x402.js'
import { CustodyError } from './custody.js'
import { Keystore } from './keystore.js'

export interface SigningTask {
  address: string
  organization: string
  data: TypedData
}

const { folder, key } = workerData as { folder: string; key: Uint8Array }
const keystore = new Keystore(folder, key)

doTasks(async ({ address, organization, data }: SigningTask) => {
  try {
    const account = await keystore.account(address, organization)
    return await account.signTypedData(data as never)
  } catch (error) {
    // As an object: of an error that is sent to another thread its class and code are lost.
    if (error instanceof CustodyError) return { code: error.code, message: error.message }
    throw error
  }
})
