// The setup of the tests of channels: a service that may send to this machine, agents whose larger payments need a
// person, and people who decide.
import { createHmac } from 'node:crypto'
import type { Answer } from './client.js'
import type { Asked } from './approvals.js'
import { newPerson, type Person } from './people.js'
import type { FundedAgent } from './payments.js'
import { NOON, startStage, type Stage } from './policies.js'
import type { Scope } from './process.js'
import { serve, tell, type Sent, type Server } from './server.js'

export interface Channel {
  id: string
  name: string
  type: string
  status: string
  events: string[]
  config: { [field: string]: unknown }
  lastDelivery?: { at: string; status: string }
  secret?: string
}

export interface ChannelStage extends Stage {
  /** An agent whose payments above 100 need a person. */
  supervised: FundedAgent
  /** A payment that waits for a person. */
  waiting(more?: object): Promise<Asked & { approvalRequestId: string }>
  decide(person: Person, id: string, decision: string): Promise<Answer<{ status: string }>>
  person(role?: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER'): Promise<Person>
  channel(fields: object): Promise<Channel>
  shown(id: string): Promise<Channel>
  /** The channel, once its last delivery has this status. */
  delivered(id: string, status?: string): Promise<Channel>
}

const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '50,100' }

export async function startChannels(scope: Scope, env: { [name: string]: string } = {}): Promise<ChannelStage> {
  const stage = await startStage(scope, NOON, { ...ENV, ...env })
  const rule = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }
  const { agent: supervised } = await stage.governed([rule])
  const shown = (id: string): Promise<Channel> => stage.must('GET', `/api/channels/${id}`)
  return Object.assign(stage, {
    supervised,
    waiting: async (more?: object) => {
      const asked: Asked = await stage.ask(supervised, 150, more)
      if (asked.approvalRequestId === undefined) throw new Error(`no approval is asked: ${JSON.stringify(asked)}`)
      return { ...asked, approvalRequestId: asked.approvalRequestId }
    },
    decide: (person: Person, id: string, decision: string) =>
      stage.client.post<{ status: string }>(`/api/approval-requests/${id}/decision`, person.cookie, { decision }),
    person: (role: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER' = 'ADMIN') => newPerson(stage.client, role),
    channel: (fields: object) => stage.must<Channel>('POST', '/api/channels', fields),
    shown,
    delivered: async (id: string, status = 'DELIVERED') => {
      for (;;) {
        const channel = await shown(id)
        if (channel.lastDelivery?.status === status) return channel
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  })
}

export interface SlackElement {
  action_id: string
  value?: string
  url?: string
}

export interface SlackSent {
  channel?: string
  ts?: string
  text: string
  blocks: { type: string; text?: { text: string }; elements?: SlackElement[] }[]
}

/** Slack, as far as the service sees it: the Web API, an incoming webhook, and where answers to presses go. */
export interface FakeSlack extends Server {
  /** What was posted to a path, in order. */
  posted(path: string): SlackSent[]
  /** The same, once there are so many. */
  until(path: string, count: number): Promise<SlackSent[]>
  /** The answer of the next calls of the Web API; undefined for success. */
  fails?: { status?: number; headers?: { [name: string]: string }; body?: object }
}

export const BOT_TOKEN = 'xoxb-1-2-secret'
export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'

export async function startSlack(scope: Scope): Promise<FakeSlack> {
  let posts = 0
  const answerOf = (sent: Sent): object => {
    if (sent.headers.authorization !== `Bearer ${BOT_TOKEN}`) return { ok: false, error: 'invalid_auth' }
    const { channel, ts } = JSON.parse(sent.text) as SlackSent
    if (sent.path === '/api/chat.update') return { ok: true, channel, ts }
    return channel === 'C1' || channel === '#ops'
      ? { ok: true, channel: 'C1', ts: `1700.${(posts += 1)}` }
      : { ok: false, error: 'channel_not_found' }
  }
  const server = await serve(scope, (sent, response) => {
    const { fails } = slack
    if (fails)
      return tell(response, { status: fails.status ?? 200, body: fails.body ?? {}, headers: fails.headers ?? {} })
    if (!sent.path.startsWith('/api/')) return void response.writeHead(200).end('ok')
    tell(response, { status: 200, body: answerOf(sent) })
  })
  const posted = (path: string): SlackSent[] =>
    server.sent.filter((sent) => sent.path === path).map(({ text }) => JSON.parse(text) as SlackSent)
  const slack: FakeSlack = Object.assign(server, {
    posted,
    until: async (path: string, count: number) => {
      while (posted(path).length < count) await new Promise((resolve) => setTimeout(resolve, 10))
      return posted(path)
    },
  })
  return slack
}

export interface Press {
  user?: string
  team?: string
  action: 'approve' | 'deny'
  value: string
  responseUrl?: string
  secret?: string
  /** Epoch ms. */
  at?: number
  headers?: { [name: string]: string }
}

/** What Slack sends when a button is pressed. */
export function signedPress(given: Press): { body: string; headers: { [name: string]: string } } {
  const { user = 'U1', team = 'T1', action, value, responseUrl, secret = SIGNING_SECRET, at = NOON, headers } = given
  const payload = JSON.stringify({
    type: 'block_actions',
    user: { id: user, username: 'al.ice', team_id: team },
    team: { id: team, domain: 'acme' },
    message: { ts: '1700.1' },
    ...(responseUrl !== undefined && { response_url: responseUrl }),
    actions: [{ action_id: action, type: 'button', value }],
  })
  const body = new URLSearchParams({ payload }).toString()
  const timestamp = String(Math.floor(at / 1000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  return {
    body,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': signature,
      ...headers,
    },
  }
}

/** Presses a button as Slack does; the answer must come within three seconds. */
export async function press(stage: ChannelStage, channelId: string, given: Press) {
  const path = `${stage.url}/api/channels/${channelId}/slack/actions`
  const answer = await fetch(path, { method: 'POST', signal: AbortSignal.timeout(3_000), ...signedPress(given) })
  return {
    status: answer.status,
    body: (await answer.json()) as { text?: string; code?: string; response_type?: string },
  }
}

export function tokenOfLink(text: string): string {
  return new URL(/https?:\S+/.exec(text)![0]).searchParams.get('token')!
}

/** Follows the link of an answer as this person. */
export async function link(stage: ChannelStage, text: string, person: Person): Promise<Answer<{ id: string }>> {
  return stage.client.post('/api/members/me/slack', person.cookie, { token: tokenOfLink(text) })
}
