// Random requests to every route that /openapi.json describes, in sequences that create, use, delete and use again. No
// answer is a 5xx, each matches its description, and no id of another organization finds anything or is in an answer. A
// seed gives the same routes and bodies again; ids and the order of answers differ.
import { descriptionAt, type Described } from '../support/answers.js'
import { newClient, type Answer, type Client } from '../support/client.js'
import { ORGANIZATION_KEY, type Scope } from '../support/process.js'
import { Random } from '../support/random.js'
import { rowsOf, type Row } from '../support/routes.js'
import { requestTo, type FuzzedRequest } from './request.js'
import { startQuietCalls, type Quiet } from './stalls.js'
import { Target, type ChosenIds } from './target.js'

/** An organization that is used for longer is mostly frozen, full or governed. */
const REQUESTS_AN_ORGANIZATION = 400
const CALLERS = 8
/** Of one seed. */
const MOST_REQUESTS = 1e9
const TOLD = 25

export interface Problem extends FuzzedRequest {
  what: string
  /** The requests before it in the same organization, the latest last. */
  before: string[]
}

export interface Fuzzed {
  /** By status. */
  answers: Map<number, number>
  /** Titles of the routes that answered with success. */
  succeeded: Set<string>
  problems: Problem[]
  quiet: Quiet
}

export interface FuzzOptions {
  url: string
  operatorKey: string
  requests: number
  seed: number
  say?: (text: string) => void
}

export async function fuzz(scope: Scope, { url, operatorKey, requests, seed, say }: FuzzOptions): Promise<Fuzzed> {
  const rows = await rowsOf(url)
  const run = new Run(newClient(scope, url), { rows, operatorKey, seed }, await descriptionAt(url))
  const quietCalls = startQuietCalls(scope, url, ORGANIZATION_KEY)
  for (let done = 0; done < requests; done += REQUESTS_AN_ORGANIZATION) {
    await run.organization(Math.min(REQUESTS_AN_ORGANIZATION, requests - done))
    say?.(`${Math.min(done + REQUESTS_AN_ORGANIZATION, requests)} requests, ${run.problems.length} problems`)
  }
  const { answers, succeeded, problems } = run
  return { answers, succeeded, problems, quiet: await quietCalls() }
}

type Asked = Pick<FuzzedRequest, 'path'> & Pick<ChosenIds, 'foreign'>

interface RunParts {
  rows: Row[]
  operatorKey: string
  seed: number
}

class Run {
  readonly answers = new Map<number, number>()
  readonly succeeded = new Set<string>()
  readonly problems: Problem[] = []
  readonly #client: Client
  readonly #parts: RunParts
  readonly #described: Described
  /** Every parameter in a path. */
  readonly #names: ReadonlySet<string>
  /** The parameter that takes the id of what a route creates, by its path. */
  readonly #created: ReadonlyMap<string, string>
  #former: Target | undefined
  #sent = 0

  constructor(client: Client, parts: RunParts, described: Described) {
    this.#client = client
    this.#parts = parts
    this.#described = described
    this.#names = new Set(parts.rows.flatMap(({ params }) => params.map((name) => named(name, ''))))
    this.#created = new Map(parts.rows.flatMap(({ path }) => createdBy(path)))
  }

  /** So many requests in a new organization, by several callers at once. */
  async organization(requests: number): Promise<void> {
    const target = await Target.create(this.#client, this.#parts.operatorKey)
    const before: string[] = []
    let left = requests
    const caller = async (): Promise<void> => {
      while ((left -= 1) >= 0) await this.#one(target, before)
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
    this.#former = target
  }

  async #one(target: Target, before: string[]): Promise<void> {
    const { rows, seed, operatorKey } = this.#parts
    const random = new Random(seed * MOST_REQUESTS + (this.#sent += 1))
    const row = random.pick(rows)
    const chosen = target.choose(random, row, this.#former)
    const request = requestTo(row, chosen.ids, random)
    const latest = before.slice(-TOLD)
    const answered = this.#client
      .send<unknown>(row.method, request.path, target.keyFor(row, operatorKey), request.body)
      .catch((error: Error) => error)
    const answer = await answered
    const status = answer instanceof Error ? answer.message : answer.status
    before.push(`${row.method} ${request.path} ${request.body ?? ''} → ${status}`)
    const what =
      answer instanceof Error
        ? answer.message
        : this.#wrongWith(row, { path: request.path, foreign: chosen.foreign }, answer)
    if (what !== undefined) this.problems.push({ ...request, what, before: latest })
    if (answer instanceof Error) return
    this.answers.set(answer.status, (this.answers.get(answer.status) ?? 0) + 1)
    if (answer.status === 401) await target.renew(row)
    if (answer.status >= 300) return
    this.succeeded.add(row.title)
    if (row.method !== 'GET') target.note(answer.body, this.#names, this.#created.get(row.path))
  }

  #wrongWith(row: Row, { path, foreign }: Asked, { status, headers, body }: Answer<unknown>): string | undefined {
    if (status >= 500) return `answers ${status}`
    const isOthers = (text: string): boolean => [...foreign].some((id) => text.includes(id))
    if (status < 300 && row.key !== 'operator') {
      if (isOthers(path.split('?')[0]!)) return 'finds what is of another organization'
      if (isOthers(JSON.stringify(body) ?? '')) return 'shows what is of another organization'
    }
    const isJson = /^application\/json(;|$)/.test(headers['content-type'] ?? '')
    return isJson ? this.#described.problem(row, status, body) : undefined
  }
}

/** Keys have one name in paths, and two in what is known of them. */
function named(name: string, path: string): string {
  if (name !== 'keyId') return name
  return path.includes('/sdk-keys') ? 'agentKeyId' : 'organizationKeyId'
}

function createdBy(path: string): [string, string][] {
  const [, parent, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? []
  return parent === undefined ? [] : [[parent, named(name!, path)]]
}
