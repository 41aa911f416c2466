// The form for settings of the organization.
import type { ComponentChildren } from 'preact'
import { api, type Body } from '../api.js'
import { EditForm } from '../components/editForm.js'
import type { Rows } from '../components/fields.js'
import type { Edit } from '../edit.js'
import { useSession, useSignedIn, type Organization } from '../session.js'

interface Props<D> {
  draftOf: (organization: Organization) => D
  /** The changed settings, beside those of the organization as it is. */
  bodyOf: (changed: Partial<D>, now: Organization) => Body<'PATCH /api/organization'>
  done: string
  fields?: Rows<D>
  children?: (edit: Edit<D>) => ComponentChildren
}

export function OrganizationForm<D extends object>({ bodyOf, ...form }: Props<D>) {
  const { organization } = useSignedIn()
  const { refresh } = useSession()
  return (
    <EditForm
      {...form}
      record={organization}
      read={() => api.call('GET /api/organization', {})}
      write={(changed, now) => api.call('PATCH /api/organization', { body: bodyOf(changed, now) })}
      after={refresh}
    />
  )
}
