// When a wallet lets its agent pay: now, or next, by hours, days and dates of the delegation and by what policies say of
// times, of the number of payments and of the rail.
import { objectionOf, type CompiledRule } from '../../../../rules/compile.js'
import { isWallClock, leftOut, wallClockFacts, type Facts } from '../../../../rules/facts.js'
import type { Moment } from '../../../../rules/changes.js'
import type { ReadySet } from '../../../../rules/policySetCache.js'
import { objectingAt, standsUntil } from '../../../../rules/ways.js'
import { scheduleOf } from '../../../domain/parties/delegation.js'
import { isOpen, nextOpening } from '../../../domain/time/schedule.js'
import { Effort } from '../effort.js'
import type { TransferSources } from '../facts.js'
import type { WalletSource } from '../fundingSource.js'
import { sumFacts, type Numbers } from '../ruleFacts.js'

export interface Opening {
  openNow: boolean
  /** Epoch ms; absent where it is open, and where no time opens it. */
  opensAt?: number
}

export interface Paying {
  facts: TransferSources
  route: WalletSource
  numbers: Numbers
  set: Pick<ReadySet, 'rules' | 'clock'>
}

/** More steps than a year of daily windows and closed days needs. */
const MAX_STEPS = 400

/** `now` is the effort for whether it is open, `ahead` for when it opens; without the latter it does not say. */
export async function openingOf(
  { facts, route, numbers, set }: Paying,
  { now, ahead }: { now: Effort; ahead: Effort },
): Promise<Opening> {
  const schedule = scheduleOf(route.leave.terms)
  const closing = set.rules.filter(closes)
  let at = facts.now
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const opening = isOpen(schedule, at) ? at : nextOpening(schedule, at)
    if (opening === undefined) break
    const values = valuesAt(opening, facts, numbers, set)
    const objecting = await (step === 0 ? now : ahead).spendOn(objectingAt(closing, values))
    if (!objecting) break
    if (objecting.found.length === 0) {
      return opening === facts.now ? { openNow: true } : { openNow: false, opensAt: opening }
    }
    const { timezone } = facts.organization.fields
    const times = numbers.made?.times ?? []
    const moment: Moment = { now: opening, timezone, facts: values, least: () => 0, times }
    const until = await ahead.spendOn(standsUntil(objecting.found, moment))
    if (!until || !Number.isFinite(until.found) || until.found <= opening) break
    at = until.found
  }
  return { openNow: false }
}

/** It denies by these facts alone. */
function closes(rule: CompiledRule): boolean {
  return objectionOf(rule) === 'DENY' && rule.leaves.every(({ fact }) => isOfTime(fact))
}

function isOfTime(fact: string): boolean {
  return fact === 'now' || fact === 'rail' || fact.startsWith('count:') || isWallClock(fact)
}

function valuesAt(at: number, { agent }: TransferSources, numbers: Numbers, { clock }: Paying['set']): Facts {
  const counts = sumFacts(numbers, 0, Math.max(agent.context.clock, at))
  return { ...leftOut({}), ...counts, now: at, ...wallClockFacts(clock, at) }
}
