// bursar owner-link: a link with which an owner sets a password, where the first link has expired or the password is lost.
import type { BursarAdmin, Member } from '../../sdk/index.js'
import { Failure } from '../config/failure.js'
import { parseEmail } from '../domain/values/email.js'
import { asking, type Shown } from './terminal/asking.js'
import { UsageError } from './terminal/command.js'

export const ownerLinkCommands = {
  'owner-link': asking({
    usage: 'owner-link [--email ADDRESS]',
    summary:
      'create a link with which an owner sets a password, because the first one has expired or the password is lost',
    run: async ({ bursar, text }) => shown(await linkFor(bursar, await ownerNamed(bursar, text('email')))),
  }),
}

async function ownerNamed(bursar: BursarAdmin, email: string | undefined): Promise<Member> {
  const owners: Member[] = []
  for await (const member of bursar.members.list()) if (member.role === 'OWNER') owners.push(member)
  const named = email === undefined ? owners : owners.filter((owner) => owner.email === parseEmail(email))
  const [owner, other] = named
  if (owner === undefined)
    throw new Failure(email === undefined ? 'There is no owner' : `No owner has the address ${email}`)
  if (other === undefined) return owner
  throw new UsageError(
    `There are several owners: name one with --email, of ${owners.map((one) => one.email).join(', ')}`,
  )
}

/** The password that an owner has stays until the link is used. */
function linkFor({ members }: BursarAdmin, { id, status }: Member) {
  return status === 'INVITED' ? members.invite(id) : members.resetPassword(id)
}

type Linked = Awaited<ReturnType<typeof linkFor>>

function shown(answer: Linked): Shown {
  const { email, setupUrl } = answer
  const lines = [setupUrl, `It works once, within 7 days, for ${email}: whoever opens it becomes this owner`]
  return { json: answer, lines: () => lines }
}
