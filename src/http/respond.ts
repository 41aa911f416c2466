// Runs a command for a route and renders its answer once, from what is about to be committed, so that the answer that
// is sent, the one that is remembered and the stored record can never differ.
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import type { Json } from '../domain/canonical.js'
import type { Refused } from '../domain/refusal.js'
import { refuse } from '../domain/refusal.js'
import type { Page } from '../actor/query.js'
import type { Caller } from '../commands/ports.js'
import type { Answer, Call } from './route.js'

type Render = (actor: Actor, view: View) => Answer
const NOTHING: View = () => undefined

export async function answered<Done extends { ok: true; actor: Actor }>(
  call: Pick<Call, 'principal' | 'remember'>,
  render: Render,
  run: (caller: Caller) => Promise<Done | Refused>,
): Promise<Answer | Refused> {
  let answer: Answer | undefined
  const caller: Caller = {
    principal: call.principal,
    remember: (actor, view) => {
      answer = render(actor, view)
      return call.remember?.(answer)
    },
  }
  const done = await run(caller)
  return done.ok ? (answer ?? render(done.actor, NOTHING)) : done
}

/** A caller of a command whose answer is not remembered. */
export function reader(call: Pick<Call, 'principal'>): Caller {
  return { principal: call.principal }
}

export function ok(body: Json, status = 200): Answer {
  return { status, body }
}

/** A page as every list answers it. */
export function pageAnswer(noun: string, page: Page | undefined, query: { limit: number; offset: number; cursor?: string | undefined }, record: (actor: Actor) => Json): Answer | Refused {
  if (!page) {
    return refuse('VALIDATION_ERROR', 'cursor must be the nextCursor of the page before', {
      details: [{ path: 'cursor', message: 'must be the nextCursor of the page before' }],
    })
  }
  return ok({ [noun]: page.actors.map(record), pagination: pagination(page, query) })
}

export function pagination(page: Page, { limit, offset }: { limit: number; offset: number }): { [field: string]: Json } {
  const { total, nextCursor } = page
  return { total, limit, offset, hasMore: nextCursor !== undefined, ...(nextCursor !== undefined && { nextCursor }) }
}

export const iso = (ms: number): string => new Date(ms).toISOString()
