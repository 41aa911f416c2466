// Channels of type SLACK against a receiver that answers and presses as Slack does: messages with buttons or a link, the
// link of a user to a member, decisions that are the ordinary ones, and messages that show the outcome.
import test from 'ava'
import {
  BOT_TOKEN,
  link,
  press,
  SIGNING_SECRET,
  startChannels,
  startSlack,
  type ChannelStage,
  type FakeSlack,
} from '../../support/channels.js'
import type { Scope } from '../../support/process.js'
import { NOON } from '../../support/policies.js'
import { startReceiver } from '../../support/receiver.js'

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
  const decided = await stage.must<{ status: string; decisions: { by: object }[] }>(
    'GET',
    `/api/approval-requests/${approvalRequestId}`,
  )
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
  const { decisions } = await stage.must<{ decisions: object[] }>('GET', `/api/approval-requests/${approvalRequestId}`)
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
  const { deliveries } = await stage.must<{ deliveries: { attempts: object[] }[] }>('GET', '/api/webhooks/deliveries')
  t.like(deliveries[0], { attempts: [{ error: 'Slack: channel_not_found' }] })
  t.is(deliveries[0]!.attempts.length, 1)
})
