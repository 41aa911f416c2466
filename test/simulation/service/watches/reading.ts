// Reads all of an organization's records of a kind, by the first key, as the watches do at the end.
import type { Organization } from '../organization.js'
import type { World } from '../world.js'

const PAGE = 100

/** Everything that a list has. */
export async function everyOne<Row>(world: World, organization: Organization, path: string): Promise<Row[]> {
  const field = path.split('/').at(-1)!
  const rows: Row[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const body = await read<Page<Row>>(world, organization, `${path}?limit=${PAGE}${more}`)
    const { pagination, nextCursor } = body as unknown as { pagination?: { nextCursor?: string }; nextCursor?: string }
    rows.push(...((body[field] ?? body['entries'] ?? body['requests']) as Row[]))
    cursor = pagination?.nextCursor ?? nextCursor
  }
  return rows
}

interface Page<Row> {
  [field: string]: Row[]
}

export async function read<Body>(world: World, organization: Organization, path: string): Promise<Body> {
  return JSON.parse(await readText(world, organization, path)) as Body
}

export async function readText(world: World, organization: Organization, path: string): Promise<string> {
  const told = await world.ask({ by: organization.root, organization, method: 'GET', path })
  if (told.status !== 200) throw new Error(`${path} was answered ${told.text}`)
  return told.text
}
