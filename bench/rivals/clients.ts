// The rivals' clients, as far as they are used here. They are installed only beside this folder's package.json, by its
// install.sh.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { projectRoot } from '../../test/support/root.js'
import { NotRun } from '../target.js'

export const RIVALS = join(projectRoot, 'bench', 'rivals')

const requireRival = createRequire(join(RIVALS, 'package.json'))

/** Throws NotRun if it is not installed. */
export function rivalModule<Module>(name: string): Module {
  try {
    return requireRival(name) as Module
  } catch {
    throw new NotRun(`${name} is not installed: bench/rivals/install.sh`)
  }
}

export interface Statement {
  /** The name under which PostgreSQL keeps it prepared. */
  name?: string
  text: string
  values?: unknown[]
}

export interface PostgresClient {
  query<Row>(statement: Statement | string): Promise<{ rows: Row[] }>
  release(broken?: boolean): void
}

export interface Postgres {
  Pool: new (options: object) => {
    query: PostgresClient['query']
    connect(): Promise<PostgresClient>
  }
}

export interface RedisClient {
  script(command: 'LOAD', script: string): Promise<string>
  evalsha(hash: string, keys: number, ...values: (string | number)[]): Promise<string>
  hset(key: string, fields: object): Promise<number>
  sadd(key: string, ...members: string[]): Promise<number>
}

export interface Redis {
  Redis: new (options: object) => RedisClient
}
