// bursar doctor: checks a service, its connection and its data folder. It changes nothing.
import { statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BursarAdmin, BursarError } from '../../../sdk/index.js'
import { exitOf, KEY_GIVEN, showing, type Shown } from '../terminal/asking.js'
import { EXIT, type Style, type CommandContext } from '../terminal/command.js'
import { connectionOf } from '../terminal/connection.js'
import { failedCheck, passedCheck, warning, type Finding } from './finding.js'
import { serviceUid } from './owner.js'
import { clean } from '../terminal/show.js'
import { namesIn } from './volume.js'

/** The API version that the commands expect, as in `/openapi.json`. */
const INTERFACE = '1'
const SKEW_MS = 5_000
const GIGABYTE = 1_000_000_000
const LITTLE = GIGABYTE
const TOO_LITTLE = GIGABYTE / 10
const OTHERS = 0o007
const GROUP_AND_OTHERS = 0o077
const TIMEOUT_MS = 10_000
const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red' } as const

export const doctorCommands = {
  doctor: showing({
    usage: `doctor ${KEY_GIVEN}`,
    summary: 'check the service, the connection, the data folder and the journal in PostgreSQL for problems',
    run: async ({ has }, context) => {
      const { nodes, apiKey } = await connectionOf(context, has('key-stdin'))
      const reached = await Promise.all(nodes.map(reach))
      const isNobodyThere = reached.every((found) => found.at(-1)?.state === 'failed')
      const asked = isNobodyThere ? [] : await askedAbout(nodes, apiKey)
      const stored = [...(await folderFindings(context)), ...(await findingsOfJournal(context))]
      return shown([...reached.flat(), ...asked, ...stored])
    },
  }),
}

function shown(findings: Finding[]): Shown {
  const unreached = findings.some(({ name, state }) => name === 'service' && state === 'failed')
  const bad = findings.some(({ state }) => state === 'failed')
  const width = Math.max(...findings.map(({ name }) => name.length))
  const line = ({ name, state, text }: Finding, style: Style): string =>
    `${style(COLOURS[state], state.padEnd('warning'.length))}  ${name.padEnd(width)}  ${clean(text)}`
  return {
    json: { ok: !bad, findings },
    lines: (style) => findings.map((finding) => line(finding, style)),
    exit: unreached ? EXIT.unreachable : bad ? EXIT.refused : EXIT.ok,
  }
}

/** Checks whether the service answers and is ready, and its clock against this machine's. */
async function reach(url: string): Promise<Finding[]> {
  try {
    const began = Date.now()
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    const warned = warningsIn(await answer.text()).map((text) => warning('service', text))
    const clock = clockFinding(answer.headers.get('Date'), (began + Date.now()) / 2)
    const service = answer.ok ? passedCheck('service', `${url} is ready`) : failedCheck('service', `${url} answers ${answer.status}`)
    return [...encryption(url), clock, ...warned, service]
  } catch (error) {
    const { cause, message } = error as Error
    const why = cause instanceof Error ? cause.message || message : message
    return [failedCheck('service', `${url} is not reachable: ${why}`)]
  }
}

/** What the service warns of itself. */
function warningsIn(readiness: string): string[] {
  try {
    return (JSON.parse(readiness) as { warnings?: string[] }).warnings ?? []
  } catch {
    return []
  }
}

function encryption(url: string): Finding[] {
  const { protocol, hostname } = new URL(url)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return protocol === 'https:' || isHere
    ? []
    : [warning('encryption', `keys are sent unencrypted to ${url}: use https`)]
}

/** The Date header has whole seconds. */
function clockFinding(date: string | null, here: number): Finding {
  const there = Date.parse(date ?? '')
  if (Number.isNaN(there)) return warning('clock', 'the service does not report its time')
  const skew = Math.round((there + 500 - here) / 1000)
  if (Math.abs(there + 500 - here) <= SKEW_MS) return passedCheck('clock', "agrees with the service's clock")
  return warning('clock', `the service's clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`)
}

async function askedAbout(nodes: string[], apiKey: string | undefined): Promise<Finding[]> {
  const bursar = new BursarAdmin({ baseUrl: nodes, apiKey, maxRetries: 0, timeout: TIMEOUT_MS })
  const checks = [
    checked('version', () => versionFinding(bursar)),
    checked('key', () => keyFinding(bursar, apiKey)),
    ...(apiKey === undefined ? [] : [checked('sanctions', () => sanctionsFinding(bursar))]),
    ...(apiKey === undefined ? [] : [checked('webhooks', () => webhookFinding(bursar))]),
  ]
  return Promise.all(checks)
}

/** A check that throws is itself a finding. */
async function checked(name: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof BursarError)) throw error
    const text = `${error.code}: ${error.message}`
    return exitOf(error) === EXIT.unreachable || name === 'key' ? failedCheck(name, text) : warning(name, text)
  }
}

async function versionFinding(bursar: BursarAdmin): Promise<Finding> {
  const { info } = (await bursar.service.openapi()) as { info?: { version?: string } }
  const text = `API version ${info?.version}, Node.js ${process.version}`
  return info?.version === INTERFACE
    ? passedCheck('version', text)
    : warning('version', `${text}: this command expects API version ${INTERFACE}`)
}

async function keyFinding(bursar: BursarAdmin, apiKey: string | undefined): Promise<Finding> {
  if (apiKey === undefined) return warning('key', 'there is none: set BURSAR_API_KEY or run bursar init')
  const { name, status } = await bursar.organization.get()
  return status === 'ACTIVE'
    ? passedCheck('key', `belongs to ${name}`)
    : warning('key', `belongs to ${name}, which is ${status}`)
}

async function sanctionsFinding(bursar: BursarAdmin): Promise<Finding> {
  const { list, date, count, warning: said } = await bursar.counterparties.sanctions()
  if (said !== null) return warning('sanctions', said)
  return passedCheck('sanctions', `${list} of ${date}, ${count} ${count === 1 ? 'address' : 'addresses'}`)
}

async function webhookFinding(bursar: BursarAdmin): Promise<Finding> {
  const { deliveries } = await bursar.webhooks.deliveries({ limit: 100 })
  const bad = deliveries.filter(({ status }) => status === 'FAILED').length
  const text = `${bad} of the last ${deliveries.length} deliveries failed`
  return bad > 0 ? warning('webhooks', text) : passedCheck('webhooks', text)
}

/** Checks the data folder, if it is on this machine. */
async function folderFindings({ dataDir }: CommandContext): Promise<Finding[]> {
  const folder = resolve(dataDir())
  return ifReadable(folder, async () => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      const remedy = "set BURSAR_DATA_DIR to the service's folder, or run this on its machine"
      return [warning('data folder', `${folder} does not exist, so no data were checked: ${remedy}`)]
    }
    // Only this check needs the charts and the database.
    const { recordFindings } = await import('./records.js')
    const own = await ifReadable(folder, async () => [permissionFinding(folder), ...(await recordFindings(folder))])
    return [spaceFinding(folder), ...own]
  })
}

/** Checks the journal in PostgreSQL, if there is one. */
async function findingsOfJournal(context: CommandContext): Promise<Finding[]> {
  if (context.env['BURSAR_JOURNAL'] === undefined) return []
  const { journalFindings } = await import('../journal/findings.js')
  return journalFindings(context)
}

/** That this user may not read the folder is itself a finding. */
async function ifReadable(folder: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return [warning('data folder', `${folder} cannot be read by this user: its files were not checked`)]
  }
}

function spaceFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${(free / GIGABYTE).toFixed(1)} GB free for ${folder}`
  if (free < TOO_LITTLE) return failedCheck('space', text)
  return free < LITTLE ? warning('space', text) : passedCheck('space', text)
}

function permissionFinding(folder: string): Finding {
  const files = namesIn(folder).map((name) => join(folder, name))
  const uid = serviceUid(folder)
  // The service uses a folder of root through the folder's group.
  const isShared = uid !== undefined && statSync(folder).uid === 0
  const closing = process.platform === 'win32' ? undefined : closingCommand(folder, files, isShared)
  if (closing !== undefined) return failedCheck('permissions', `other users have access: run ${closing}`)
  const strange = uid === undefined ? [] : files.filter((path) => statSync(path).uid !== uid)
  if (strange.length === 0) {
    return passedCheck('permissions', `only its owner${isShared ? ' and its group have' : ' has'} access to ${folder}`)
  }
  return failedCheck('permissions', `the service has no access: run chown ${uid} ${strange.slice(0, 3).join(' ')}`)
}

/** The command that takes the access from other users; undefined if they have none. */
function closingCommand(folder: string, files: string[], isShared: boolean): string | undefined {
  const isOpenTo = (rights: number) => (path: string) => (statSync(path).mode & rights) !== 0
  if (isShared && isOpenTo(OTHERS)(folder)) return `chmod o= ${folder}`
  const open = (isShared ? files : [folder, ...files]).filter(isOpenTo(GROUP_AND_OTHERS))
  return open.length === 0 ? undefined : `chmod go= ${open.slice(0, 3).join(' ')}`
}
