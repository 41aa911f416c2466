// An actor by its name; one without a name by its short id.
import { short } from '../format/words.js'
import { useName, type Principal } from '../names.js'

const TYPES: { [machine: string]: string } = { member: 'PERSON' }

const principal = (machine: string, id: string): Principal => ({ type: TYPES[machine] ?? machine.toUpperCase(), id })

export const useActorName = (machine: string, id: string): string | undefined => useName(principal(machine, id))

/** With a name, the id follows it. */
export function ActorName({ machine, id }: { machine: string; id: string }) {
  const name = useActorName(machine, id)
  const shortId = <code title={id}>{short(id)}</code>
  if (name === undefined) return shortId
  return (
    <>
      {name} <span class="hint">{shortId}</span>
    </>
  )
}
