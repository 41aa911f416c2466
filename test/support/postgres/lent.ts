// A database for a test, which ends with it; where PostgreSQL is missing, the test is reported as not run.
import type { ExecutionContext, TestFn } from 'ava'
import { NotRun } from '../../../bench/target.js'
import { notRun } from '../notRun.js'
import { wholeFile, type Scope } from '../process.js'

interface Ending {
  end(): Promise<void>
}

/** What `start` starts, for the test or for a longer scope. Undefined, with the test reported, if it cannot. */
export async function lent<Database extends Ending>(
  t: ExecutionContext,
  start: () => Promise<Database>,
  scope: Scope = t,
): Promise<Database | undefined> {
  try {
    const database = await start()
    scope.teardown(() => database.end())
    return database
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    notRun(t, `a database (${error.message})`)
    return undefined
  }
}

type Declare = (title: string, run: (t: ExecutionContext) => Promise<void>) => void

/** Declares tests that follow each other with one database, which `use` is given. */
export function withOne<Database extends Ending>(
  test: TestFn,
  start: () => Promise<Database>,
  use: (database: Database) => void,
): Declare {
  const scope = wholeFile(test)
  let starting: Promise<Database> | undefined
  return (title, run) =>
    test.serial(title, async (t) => {
      const database = await lent(t, () => (starting ??= start()), scope)
      if (database === undefined) return
      use(database)
      await run(t)
    })
}
