// Buttons in Slack, and the Slack users that members link to themselves.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { doneWithin } from '../../../async/doneWithin.js'
import { decideBySlack } from '../../../commands/channels/slackDecision.js'
import { linkSlackUser, listSlackUsers, unlinkSlackUser } from '../../../commands/channels/slackUsers.js'
import type { Services } from '../../../commands/ports.js'
import { isId } from '../../../domain/values/ids.js'
import { refuse, type Result } from '../../../domain/outcomes/result.js'
import { answerToPresser, isSignedBySlack, pressIn } from '../../../notifications/slackPress.js'
import { formField } from '../../input/form.js'
import { page } from '../../input/querySchemas.js'
import { id, recordSchema } from '../../input/schemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../../server/respond.js'
import { route, type HandlerInput, type RouteAnswer, type Route } from '../../server/route.js'

/** Slack waits three seconds for an answer. */
const PATIENCE_MS = 2_000
/** A message with its blocks is part of what Slack sends. */
const BODY_BYTES = 512 * 1024

const slackUserSchema = recordSchema('SlackUser', {
  id: v.string(),
  channelId: v.string(),
  teamId: v.string(),
  userId: v.string(),
  userName: v.string(),
  linkedAt: v.string(),
})

function slackUserRecord(actor: Actor<'slackUser'>): v.InferOutput<typeof slackUserSchema> {
  const { id: linkId, channelId, teamId, userId, userName, updatedAt } = actor.context
  return { id: linkId, channelId, teamId, userId, userName, linkedAt: iso(updatedAt) }
}

const pressBody = v.strictObject({ text: v.string() })

export const slackRoutes = [
  route({
    operationId: 'linkSlackUser',
    method: 'POST',
    path: '/api/members/me/slack',
    access: { key: 'person' },
    summary: 'Link a Slack user to the signed-in person, with the token of the link that a press was answered with',
    body: v.strictObject({ token: v.pipe(v.string('must be text'), v.maxLength(4_000)) }),
    answers: { 200: slackUserSchema },
    refuses: ['INVALID_STATUS', 'NOT_FOUND'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'slackUser'>) => ok(slackUserRecord(actor)),
        (caller) => linkSlackUser(call.services, caller, call.body.token),
      ),
  }),
  route({
    operationId: 'listSlackUsers',
    method: 'GET',
    path: '/api/members/me/slack',
    access: { key: 'person' },
    summary: 'List the Slack users that are linked to the signed-in person',
    query: v.strictObject(page),
    answers: {
      200: recordSchema('SlackUserList', { slackUsers: v.array(slackUserSchema), pagination: paginationSchema }),
    },
    handler: async (call) => {
      const found = await listSlackUsers(call.services, call.caller, call.query)
      return pageAnswer('slackUsers', found, call.query, slackUserRecord)
    },
  }),
  route({
    operationId: 'unlinkSlackUser',
    method: 'DELETE',
    path: '/api/members/me/slack',
    access: { key: 'person' },
    summary: 'Unlink a Slack user: its presses count no more',
    query: v.strictObject({ slackUserId: id() }),
    answers: { 200: success },
    refuses: ['INVALID_STATUS', 'NOT_FOUND'],
    handler: (call) =>
      answered(call, succeeded, (caller) => unlinkSlackUser(call.services, caller, call.query.slackUserId)),
  }),
]

/** Slack calls it, in Slack's own form: it is no operation of the interface. */
export const slackActions: Route = {
  method: 'POST',
  path: '/api/channels/:channelId/slack/actions',
  access: { key: 'none' },
  foundBy: 'channelId',
  limit: 'admin',
  idempotency: 'none',
  form: true,
  bodyLimit: BODY_BYTES,
  body: pressBody,
  answers: {},
  handler: (call: PressCall) => pressed(call),
}

const FAILED = 'The service could not decide: look at the page of the request.'

type PressCall = HandlerInput<Record<string, string>, unknown, v.InferOutput<typeof pressBody>>

/** The decision goes on where it takes longer than Slack waits; what is to be said then comes later. */
async function pressed({
  services,
  params,
  body,
  headers,
  requestId,
}: PressCall): Promise<Result<RouteAnswer, 'AUTH_FAILED'>> {
  const channel = slackChannel(services, params['channelId']!)
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers!
  const signed = { timestamp: String(timestamp), signature: String(signature), body: body.text }
  // No channel and a wrong signature look alike, so that ids cannot be guessed.
  if (!channel || !isSignedBySlack(signed, channel.signingSecret, services.now())) return refuse('AUTH_FAILED')
  const press = pressIn(formField(body.text, 'payload') ?? '')
  if (press?.decides == null) return ok({})
  const { decides, responseUrl, ...user } = press
  const said = decideBySlack(services, channel.actor, { ...user, ...decides, requestId })
  const answers = said.then((text) => (text === undefined ? undefined : answerToPresser(text)))
  const tell = (answer: object | undefined): void => {
    if (answer && responseUrl !== null) services.answerSlack(channel.actor.context.organization, responseUrl, answer)
  }
  void answers.then(tell, () => tell(answerToPresser(FAILED)))
  return ok((await doneWithin(PATIENCE_MS, answers)) ?? {})
}

/** A channel with buttons, and its signing secret; a paused one takes no presses. */
function slackChannel({ host, channels }: Services, channelId: string) {
  const actor = isId(channelId) ? host.peek(`channel/${channelId}`) : undefined
  if (actor?.state !== 'kept.active') return undefined
  const { organization, fields } = actor.context
  if (fields.secret['signingSecret'] === undefined) return undefined
  return { actor, signingSecret: String(channels.open(organization, fields)['signingSecret']) }
}
