// Alerts: people see them, and resolve what they looked at.
import { one, request, somebody, type Action, type Stage } from '../stage.js'

async function look(stage: Stage): Promise<void> {
  const path = '/api/alerts?limit=100'
  const told = await request(stage, { by: stage.organization.root, method: 'GET', path, needs: 'alerts:read' })
  const alert = one(stage, told.body.alerts ?? [])
  if (!alert) return
  const verb = stage.random.pick(['acknowledge', 'resolve'])
  const needs = 'alerts:write'
  await request(stage, { by: somebody(stage, needs), method: 'POST', path: `/api/alerts/${alert.id}/${verb}`, needs })
}

export const alerts: Action[] = [{ name: 'look at alerts', share: 3, act: look }]
