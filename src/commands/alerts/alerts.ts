// Alerts: listing them, saying that somebody has seen one or that it is over, and what raises them.
import { agentAlertsOf, alertsOf, type AlertContext } from '../../../machines/alert.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import type { AlertSettings, AlertStatus, AlertTypeName, Severity } from '../../domain/outcomes/alert.js'
import type { Result } from '../../domain/outcomes/result.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { findOrganization } from '../organizations/organizations.js'
import type { Caller, Services } from '../ports.js'
import { find, outcome, send } from '../send.js'

export interface AlertList extends Paging {
  status?: AlertStatus | undefined
  severity?: Severity | undefined
  type?: AlertTypeName | undefined
  agentId?: string | undefined
}

/** Newest first; undefined for a cursor of another list. */
export function listAlerts(
  services: Services,
  { principal }: Caller,
  query: AlertList,
): Promise<Page<'alert'> | undefined> {
  const { status, severity, type, agentId, ...paging } = query
  const list = agentId === undefined ? alertsOf(principal.organization, status) : agentAlertsOf(agentId, status)
  const isWanted = ({ organization, fields }: AlertContext): boolean =>
    organization === principal.organization &&
    (severity === undefined || fields.severity === severity) &&
    (type === undefined || fields.type === type)
  const isAll = severity === undefined && type === undefined && agentId === undefined
  const asked = { ...paging, list }
  return isAll ? services.query.page(asked) : services.query.filtered(asked, (actor) => isWanted(actor.context))
}

export function findAlert(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'alert'>, 'NOT_FOUND'>> {
  return find(services, caller, 'alert', id)
}

/** Somebody has seen it: the same cause still counts in it. */
export function acknowledgeAlert(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'alert'>, 'ALREADY_RESOLVED' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  return end(services, caller, id, 'ACKNOWLEDGE')
}

/** It is over: the same cause raises another alert. */
export function resolveAlert(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'alert'>, 'ALREADY_RESOLVED' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  return end(services, caller, id, 'RESOLVE')
}

async function end(
  services: Services,
  caller: Caller,
  id: string,
  command: 'ACKNOWLEDGE' | 'RESOLVE',
): Promise<Result<Actor<'alert'>, 'ALREADY_RESOLVED' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findAlert(services, caller, id)
  if (!found.ok) return found
  const { type, id: by } = caller.principal
  return outcome(await send(services, caller, found.value.ref, command, { by: { type, id: by } }))
}

/** Changes what raises alerts; fields that are left out stay. */
export async function updateAlertSettings(
  services: Services,
  caller: Caller,
  changes: { [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined },
): Promise<Result<Actor<'organization'>, never>> {
  const organization = await findOrganization(services, caller)
  const alerts = { ...organization.context.alerts, ...omitUndefined(changes) }
  return outcome(await send(services, caller, organization.ref, 'SET_ALERTS', { alerts }))
}
