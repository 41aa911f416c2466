// A PostgreSQL server without a standby: its commits wait for its own disk alone.
import { nameDatabase } from './admin.js'
import { PostgresServer } from './server.js'

export interface SingleDatabase {
  url: string
  /** Ends it as a power cut does, but for the caches of the disk; `start` starts it again. */
  kill(): Promise<void>
  start(): Promise<void>
  end(): Promise<void>
}

export async function startSingle(): Promise<SingleDatabase> {
  const server = await PostgresServer.place('single')
  try {
    await server.initialize()
    await server.start()
    await nameDatabase(server.port)
    return server
  } catch (error) {
    await server.end()
    throw error
  }
}
