// Channels of type SLACK against a receiver that answers and presses as Slack does: messages with buttons or a link, the
// link of a user to a member, decisions that are the ordinary ones, and messages that show the outcome.
import test from 'ava'
import { formField } from '../../../src/http/input/form.js'
import {
  BOT_TOKEN,
  link,
  press,
  SIGNING_SECRET,
  startChannels,
  startSlack,
  type Channel,
  type ChannelStage,
  type FakeSlack,
} from '../../support/channels.js'
import type { Scope } from '../../support/process.js'
import type { Person } from '../../support/people.js'
import { NOON } from '../../support/policies.js'
import { startReceiver } from '../../support/receiver.js'
import type { ApprovalRequest, DeliveryList } from '../../../sdk/api.js'

const BOT = { botToken: BOT_TOKEN, channel: '#ops', signingSecret: SIGNING_SECRET }
const POST = '/api/chat.postMessage'
const UPDATE = '/api/chat.update'

async function started(t: Scope): Promise<{ slack: FakeSlack; stage: ChannelStage; channelId: string }> {
  const slack = await startSlack(t)
  const stage = await startChannels(t, { BURSAR_SLACK_API_URL: `${slack.url}/api` })
  const events = ['approval.requested']
  const { id } = await stage.channel({ name: 'Slack', type: 'SLACK', events, config: BOT })
  return { slack, stage, channelId: id }
}

const valueIn = ({ blocks }: { blocks: { elements?: { value?: string }[] }[] }): string =>
  blocks.at(-1)!.elements![0]!.value!

test('a press counts once its user is linked to a member, and the message then shows the outcome', async (t) => {
  const { slack, stage, channelId } = await started(t)
  const { approvalRequestId, requestId } = await stage.waiting({ purpose: 'Paper' })
  const [posted] = await slack.until(POST, 1)
  t.is(posted!.channel, '#ops')
  const buttons = posted!.blocks.at(-1)!.elements!
  t.deepEqual(
    buttons.map(({ action_id: id }) => id),
    ['approve', 'deny'],
  )
  const value = valueIn(posted!)
  const responses = await startReceiver(t)
  const first = await press(stage, channelId, { action: 'approve', value, responseUrl: `${responses.url}/answer` })
  t.is(first.status, 200)
  t.is(first.body.response_type, 'ephemeral')
  t.regex(first.body.text!, /\/slack\?token=/)
  const [told] = await responses.until((all) => all.length === 1)
  t.deepEqual(told!.body as unknown, first.body)
  t.is((await stage.must<{ status: string }>('GET', `/api/approval-requests/${approvalRequestId}`)).status, 'PENDING')
  const person = await stage.person()
  t.is((await link(stage, first.body.text!, person)).status, 200)
  t.deepEqual((await press(stage, channelId, { action: 'approve', value })).body, {})
  const decided = await stage.must<ApprovalRequest>('GET', `/api/approval-requests/${approvalRequestId}`)
  t.like(decided, { status: 'APPROVED', decisions: [{ by: { type: 'PERSON', id: person.id } }] })
  t.is((await stage.must<{ status: string }>('GET', `/api/payments/${requestId}`)).status, 'APPROVED')
  const [updated] = await slack.until(UPDATE, 1)
  t.like(updated, { channel: 'C1', ts: '1700.1' })
  t.regex(updated!.text, /^Approved: 150/)
  t.is(
    updated!.blocks.at(-1)!.elements!.find(({ action_id: id }) => id !== 'open'),
    undefined,
  )
  t.is(slack.posted(POST).length, 1)
})

test('a repeated press says nothing new and decides nothing more; another one is stale', async (t) => {
  const { slack, stage, channelId } = await started(t)
  const { approvalRequestId } = await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const person = await stage.person()
  await link(stage, (await press(stage, channelId, { action: 'deny', value })).body.text!, person)
  const headers = { 'X-Slack-Retry-Num': '1', 'X-Slack-Retry-Reason': 'http_timeout' }
  for (const more of [{}, { headers }, { headers }]) {
    t.deepEqual((await press(stage, channelId, { action: 'deny', value, ...more })).body, {})
  }
  const { decisions } = await stage.must<ApprovalRequest>('GET', `/api/approval-requests/${approvalRequestId}`)
  t.is(decisions.length, 1)
  t.regex(
    (await press(stage, channelId, { action: 'approve', value })).body.text!,
    /stale: the approval request is DENIED/,
  )
})

test('a button of another content is stale, and one of no request says so', async (t) => {
  const { slack, stage, channelId } = await started(t)
  await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const person = await stage.person()
  await link(stage, (await press(stage, channelId, { action: 'approve', value })).body.text!, person)
  const [id] = value.split('.')
  const textOf = async (other: string) => (await press(stage, channelId, { action: 'approve', value: other })).body.text
  t.regex((await textOf(`${id}.0000`))!, /stale: what was asked has changed/)
  t.regex((await textOf('c000000000000000000000000.00'))!, /no such approval request/)
})

test('a decision on the page shows in Slack, too, and the same member decides once', async (t) => {
  const { slack, stage, channelId } = await started(t)
  await stage.must('POST', '/api/approval-workflows', { name: 'Two', requiredApprovals: 2 })
  const { approvalRequestId } = await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const [one, two] = [await stage.person(), await stage.person()]
  await link(stage, (await press(stage, channelId, { action: 'approve', value })).body.text!, one)
  t.is((await stage.decide(one, approvalRequestId, 'APPROVED')).status, 200)
  t.regex((await press(stage, channelId, { action: 'deny', value })).body.text!, /decided/i)
  t.is((await stage.decide(two, approvalRequestId, 'APPROVED')).status, 200)
  t.regex((await slack.until(UPDATE, 1))[0]!.text, /^Approved/)
})

/** Sends as a person, and fails where it is refused. */
async function set(stage: ChannelStage, by: string, method: string, path: string, body: object): Promise<Channel> {
  const answer = await stage.client.send<Channel>(method, path, by, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** A channel that this cookie or key has set up, a payment that waits, and somebody who is linked to its presser. */
async function setUpBy(t: Scope, setter: (stage: ChannelStage) => Promise<string>, workflow?: (by: Person) => object) {
  const slack = await startSlack(t)
  const stage = await startChannels(t, { BURSAR_SLACK_API_URL: `${slack.url}/api` })
  const linked = await stage.person()
  if (workflow) await stage.must('POST', '/api/approval-workflows', { name: 'Own', ...workflow(linked) })
  const events = ['approval.requested']
  const made = { name: 'Slack', type: 'SLACK', events, config: BOT }
  const { id: channelId } = await set(stage, await setter(stage), 'POST', '/api/channels', made)
  const { approvalRequestId } = await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const pressed = async (more: object = {}) =>
    (await press(stage, channelId, { action: 'approve', value, ...more })).body.text
  await link(stage, (await pressed())!, linked)
  const status = async () =>
    (await stage.must<{ status: string }>('GET', `/api/approval-requests/${approvalRequestId}`)).status
  return { stage, linked, channelId, approvalRequestId, pressed, status }
}

test('who set the channel up and is no approver decides nothing by presses of others', async (t) => {
  const { pressed, status, linked, stage, approvalRequestId } = await setUpBy(
    t,
    async (all) => (await all.person()).cookie,
    ({ id }) => ({ approverIds: [id] }),
  )
  t.regex((await pressed())!, /decided on the page: \S+\/approvals\//)
  t.is(await status(), 'PENDING')
  t.is((await stage.decide(linked, approvalRequestId, 'APPROVED')).status, 200)
})

for (const isPressFirst of [false, true]) {
  test(`who set the channel up does not count twice, the press ${isPressFirst ? 'first' : 'last'}`, async (t) => {
    let setter: Person
    const { stage, pressed, status, approvalRequestId } = await setUpBy(
      t,
      async (all) => (setter = await all.person()).cookie,
      () => ({ requiredApprovals: 2 }),
    )
    const onPage = () => stage.decide(setter, approvalRequestId, 'APPROVED')
    if (isPressFirst) {
      t.regex((await pressed())!, /More approvals are required/)
      t.is((await onPage()).status, 409)
    } else {
      t.is((await onPage()).status, 200)
      t.regex((await pressed())!, /decided on the page/)
    }
    t.is(await status(), 'PENDING')
    // Two presses could both be theirs.
    const other = await stage.person()
    await link(stage, (await pressed({ user: 'U2' }))!, other)
    t.regex((await pressed({ user: 'U2' }))!, /decided on the page/)
    t.is((await stage.decide(other, approvalRequestId, 'APPROVED')).status, 200)
    t.is(await status(), 'APPROVED')
  })
}

test('who may decide no more signs no presses with the secret that they gave', async (t) => {
  let setter: Person
  const { stage, pressed, status } = await setUpBy(t, async (all) => (setter = await all.person()).cookie)
  await stage.must('PATCH', `/api/members/${setter!.id}`, { role: 'VIEWER' })
  t.regex((await pressed())!, /decided on the page/)
  t.is(await status(), 'PENDING')
})

test('the audit log says which Slack user has pressed, and in which channel', async (t) => {
  const { stage, pressed, channelId, status } = await setUpBy(t, async (all) => (await all.person()).cookie)
  t.is(await pressed(), undefined)
  t.is(await status(), 'APPROVED')
  const { entries } = await stage.must<{ entries: { data: { approval?: { to?: { decisions: object[] } } } }[] }>(
    'GET',
    '/api/audit-logs?action=payment.approve',
  )
  t.like(entries[0]!.data.approval!.to!.decisions[0], { via: { channelId, teamId: 'T1', userId: 'U1' } })
})

test('other settings keep the links and who gave the signing secret', async (t) => {
  let setter: Person
  const { stage, pressed, channelId, approvalRequestId } = await setUpBy(
    t,
    async (all) => (setter = await all.person()).cookie,
    () => ({ requiredApprovals: 2 }),
  )
  await stage.decide(setter!, approvalRequestId, 'APPROVED')
  const other = await stage.person()
  const config = { botToken: 'REDACTED', signingSecret: 'REDACTED', channel: 'C1' }
  await set(stage, other.cookie, 'PATCH', `/api/channels/${channelId}`, { config })
  t.regex((await pressed())!, /decided on the page/)
  await set(stage, other.cookie, 'PATCH', `/api/channels/${channelId}`, { config: { ...config, signingSecret: 'new' } })
  t.regex((await pressed({ secret: 'new' }))!, /slack\?token=/)
})

test('only presses that Slack signed for this channel, lately, are taken', async (t) => {
  const { slack, stage, channelId } = await started(t)
  await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const statusOf = async (more: object, id = channelId) =>
    (await press(stage, id, { action: 'approve', value, ...more })).status
  t.is(await statusOf({ secret: 'other' }), 401)
  t.is(await statusOf({ at: NOON - 6 * 60_000 }), 401)
  t.is(await statusOf({ at: NOON + 6 * 60_000 }), 401)
  t.is(await statusOf({}, 'c000000000000000000000000'), 401)
  t.is(await statusOf({}), 200)
})

test('a paused channel takes no presses', async (t) => {
  const { slack, stage, channelId } = await started(t)
  await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  await stage.must('PATCH', `/api/channels/${channelId}`, { status: 'PAUSED' })
  t.is((await press(stage, channelId, { action: 'approve', value })).status, 401)
  await stage.must('PATCH', `/api/channels/${channelId}`, { status: 'ACTIVE' })
  t.is((await press(stage, channelId, { action: 'approve', value })).status, 200)
})

test('the same signed bytes decide in one step alone', async (t) => {
  const { slack, stage, channelId } = await started(t)
  const events = ['approval.requested', 'approval.escalated']
  await stage.must('PATCH', `/api/channels/${channelId}`, { events })
  const two = { requiredApprovals: 2, timeoutHours: 1 }
  await stage.must('POST', '/api/approval-workflows', { name: 'First', priority: 9, onTimeout: 'ESCALATE', ...two })
  await stage.must('POST', '/api/approval-workflows', { name: 'Next', priority: 8 })
  const { approvalRequestId } = await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const person = await stage.person()
  await link(stage, (await press(stage, channelId, { action: 'approve', value })).body.text!, person)
  const at = NOON + 59 * 60_000
  stage.setClock(at)
  const pressed = async (given: string) =>
    (await press(stage, channelId, { action: 'approve', value: given, at })).body.text
  t.regex((await pressed(value))!, /More approvals are required/)
  stage.setClock(NOON + 61 * 60_000)
  const status = async () =>
    (await stage.must<{ status: string }>('GET', `/api/approval-requests/${approvalRequestId}`)).status
  t.is(await status(), 'PENDING')
  t.regex((await pressed(value))!, /stale: the request was escalated/)
  t.is(await status(), 'PENDING')
  t.is(await pressed(valueIn((await slack.until(POST, 2))[1]!)), undefined)
  t.is(await status(), 'APPROVED')
})

test('a body is not read before its signature is checked', async (t) => {
  const { stage, channelId } = await started(t)
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Slack-Request-Timestamp': String(NOON / 1000),
    'X-Slack-Signature': 'v0=00',
  }
  const path = `${stage.url}/api/channels/${channelId}/slack/actions`
  const answer = await fetch(path, { method: 'POST', headers, body: '&a'.repeat(200_000) })
  t.is(answer.status, 401)
  t.is(formField(`a=1&payload=x%20y&payload=z`, 'payload'), 'x y')
  t.is(formField(`${'&a'.repeat(200_000)}&payload=x`, 'payload'), undefined)
})

test('a link is for its organization, for half an hour and for one signing secret, and ends with its member', async (t) => {
  const { slack, stage, channelId } = await started(t)
  await stage.waiting()
  const value = valueIn((await slack.until(POST, 1))[0]!)
  const pressed = async (more: object = {}) =>
    (await press(stage, channelId, { action: 'approve', value, ...more })).body.text
  const text = (await pressed())!
  const person = await stage.person('VIEWER')
  t.is(
    (
      await link(
        stage,
        text.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        person,
      )
    ).status,
    400,
  )
  const linked = await link(stage, text, person)
  t.is(linked.status, 200)
  t.regex((await pressed())!, /role may not decide/)
  await stage.client.send('DELETE', `/api/members/me/slack?slackUserId=${linked.body.id}`, person.cookie)
  t.regex((await pressed())!, /slack\?token=/)
  await link(stage, (await pressed())!, person)
  await stage.must('PATCH', `/api/channels/${channelId}`, { config: { ...BOT, signingSecret: 'new' } })
  t.regex((await pressed({ secret: 'new' }))!, /slack\?token=/)
  const late = (await pressed({ secret: 'new' }))!
  stage.setClock(NOON + 31 * 60_000)
  t.is((await link(stage, late, person)).status, 400)
})

test('by an incoming webhook, a message has a link', async (t) => {
  const slack = await startSlack(t)
  const stage = await startChannels(t)
  const config = { webhookUrl: `${slack.url}/services/T/B/secret` }
  const { id } = await stage.channel({
    name: 'Slack',
    type: 'SLACK',
    events: ['approval.requested', 'approval.decided'],
    config,
  })
  const { approvalRequestId } = await stage.waiting({ purpose: '<!channel> *pay* @here' })
  const [message] = await slack.until('/services/T/B/secret', 1)
  t.is(message!.blocks.at(-1)!.elements![0]!.url, `${stage.url}/approvals/${approvalRequestId}`)
  t.notRegex(JSON.stringify(message), /<!channel>|@here|\*pay\*/)
  t.is((await stage.delivered(id)).lastDelivery?.status, 'DELIVERED')
})

test('Slack is retried when it is busy, and not where the channel is wrong', async (t) => {
  const { slack, stage, channelId } = await started(t)
  slack.fails = { status: 429, headers: { 'Retry-After': '0' } }
  await stage.waiting()
  await slack.until(POST, 1)
  slack.fails = { body: { ok: false, error: 'ratelimited' } }
  await slack.until(POST, 2)
  delete slack.fails
  await stage.delivered(channelId)
  await stage.must('PATCH', `/api/channels/${channelId}`, { config: { ...BOT, channel: 'C404' } })
  await stage.must('POST', `/api/channels/${channelId}/test`)
  await stage.delivered(channelId, 'FAILED')
  const { deliveries } = await stage.must<DeliveryList>('GET', '/api/webhooks/deliveries')
  t.like(deliveries[0], { attempts: [{ error: 'Slack: channel_not_found' }] })
  t.is(deliveries[0]!.attempts.length, 1)
})
