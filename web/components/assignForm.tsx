// The form that assigns something chosen from a list.
import { useState } from 'preact/hooks'
import { CLOSES, Form, Select, useSending, type Once } from './form.js'

interface Props {
  label: string
  path?: string | undefined
  from: readonly { id: string; name: string }[]
  assign: (id: string, once: Once) => Promise<unknown>
  onDone: () => void
}

export function AssignForm({ label, path, from, assign, onDone }: Props) {
  const [chosen, setChosen] = useState(from[0]!.id)
  const sending = useSending(async (once) => {
    await assign(chosen, once)
    onDone()
    return `${from.find(({ id }) => id === chosen)?.name ?? label} was assigned`
  }, CLOSES)
  return (
    <Form sending={sending} submit="Assign">
      <Select
        label={label}
        path={path}
        options={from.map(({ id, name }) => [id, name])}
        value={chosen}
        onValue={setChosen}
      />
    </Form>
  )
}
