// The form for changing a record that others may change at the same time.
import type { ComponentChildren } from 'preact'
import { isEmpty, useEdit, type Edit } from '../edit.js'
import { Fields, type Rows } from './fields.js'
import { CLOSES, Form, useSending } from './form.js'

interface Props<R, D extends object> {
  record: R
  /** The values of its fields. */
  draftOf: (record: R) => D
  /** Reads it again before a change is sent; undefined if it was removed, which the change will report. */
  read: () => Promise<R | undefined>
  /** Sends the changed fields. */
  write: (changed: Partial<D>, now: R) => Promise<unknown>
  /** Called once the changes were made. */
  after: () => unknown
  /** Reports it. */
  done: string
  fields?: Rows<D>
  children?: (edit: Edit<D>) => ComponentChildren
}

export function EditForm<R, D extends object>(props: Props<R, D>) {
  const { record, draftOf, read, write, after, done, fields = [], children } = props
  const edit = useEdit(draftOf(record))
  const sending = useSending(async () => {
    const now = (await read()) ?? record
    const changed = edit.changes(draftOf(now))
    if (isEmpty(changed)) return 'No changes to save'
    await write(changed, now)
    await after()
    edit.saved()
    return done
  }, CLOSES)
  return (
    <Form sending={sending} submit="Save">
      <Fields {...edit} of={fields} />
      {children?.(edit)}
    </Form>
  )
}
