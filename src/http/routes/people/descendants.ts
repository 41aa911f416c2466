// What a key or a member made, in answers to its removal and by itself.
import type { Code } from '../../../domain/outcomes/codes.js'
import { succeed, type Result } from '../../../domain/outcomes/result.js'
import type { Actor } from '../../../actor/actor.js'
import * as v from 'valibot'
import { findDescendants, type Descendant, type Removal } from '../../../commands/people/descendants.js'
import type { Caller, Services } from '../../../commands/ports.js'
import { booleanQuery } from '../../input/querySchemas.js'
import { answered, ok } from '../../server/respond.js'
import type { HandlerInput } from '../../server/route.js'
import { identitySchema, recordSchema } from '../../input/schemas.js'

const TYPES = ['KEY', 'AGENT_KEY', 'MEMBER'] as const

const entry = v.object({ type: v.picklist(TYPES), id: v.string(), name: v.string() })

/** The query parameter with which a removal takes along what was made. */
export const cascade = v.optional(booleanQuery)

/** The answer of a removal: what was made and still gives access, or what was removed with it. */
export const removed = recordSchema('Removed', {
  success: v.literal(true),
  descendants: v.optional(v.array(entry)),
  revoked: v.optional(v.array(entry)),
})

export const descendants = recordSchema('Descendants', {
  descendants: v.array(v.object({ ...entry.entries, createdBy: identitySchema })),
})

function entryOf({ type, id, name }: Descendant): v.InferOutput<typeof entry> {
  return { type, id, name }
}

export async function removal<C extends Code>(
  call: Pick<HandlerInput, 'principal' | 'record' | 'requestId'>,
  isCascading: boolean | undefined = false,
  run: (caller: Caller, removal: Removal) => Promise<Result<Actor<'key' | 'member'>, C>>,
) {
  let made: Descendant[] = []
  const told = (found: Descendant[]): void => void (made = found)
  const body = (): v.InferOutput<typeof removed> => ({
    success: true,
    [isCascading ? 'revoked' : 'descendants']: made.map(entryOf),
  })
  const answer = await answered(
    call,
    () => ok(body()),
    (caller) => run(caller, { isCascading, told }),
  )
  // What was made while it was removed came after the first commit.
  return answer.ok ? succeed({ ...answer.value, body: body() }) : answer
}

export async function shownDescendants(
  services: Services,
  call: Pick<HandlerInput, 'caller'>,
  kind: 'key' | 'member',
  id: string,
) {
  const found = await findDescendants(services, call.caller, kind, id)
  if (!found.ok) return found
  return ok({
    descendants: found.value.descendants.map((one) => ({ ...entryOf(one), createdBy: { ...one.createdBy } })),
  })
}
