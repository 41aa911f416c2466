// A person's session, for pages of the service's own origin. It needs no key: the browser keeps the session's cookie.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function session({ call, list }: Client) {
  return {
    get: (options?: CallOptions) => call('GET /api/session', {}, options),
    signIn: (body: Body<'POST /api/session'>, options?: CallOptions) => call('POST /api/session', { body }, options),
    signOut: (options?: CallOptions) => call('DELETE /api/session', {}, options),
    /** Whom a set-up link is for. Throws AUTH_FAILED where it was used or has expired. */
    readSetUpLink: (token: string, options?: CallOptions) =>
      call('POST /api/session/setup-link', { body: { token } }, options),
    /** Sets the first password, with the token of a set-up link. */
    setUp: (body: Body<'POST /api/session/setup'>, options?: CallOptions) =>
      call('POST /api/session/setup', { body }, options),
    /** The person's own sessions. */
    list: (query?: Query<'GET /api/members/me/sessions'>, options?: CallOptions) =>
      list('GET /api/members/me/sessions', 'sessions', { query }, options),
    /** Ends one of the person's own sessions. */
    end: (sessionId: string, options?: CallOptions) =>
      call('DELETE /api/members/me/sessions', { query: { sessionId } }, options),
    /** Slack users whose presses of buttons count as the person's. */
    slackUsers: (query?: Query<'GET /api/members/me/slack'>, options?: CallOptions) =>
      list('GET /api/members/me/slack', 'slackUsers', { query }, options),
    /** With the token of the link that a press in Slack was answered with. */
    linkSlackUser: (token: string, options?: CallOptions) =>
      call('POST /api/members/me/slack', { body: { token } }, options),
    unlinkSlackUser: (slackUserId: string, options?: CallOptions) =>
      call('DELETE /api/members/me/slack', { query: { slackUserId } }, options),
    /** What a client of OAuth asks the person for; `request` is that of the consent page. */
    consentRequest: (request: string, options?: CallOptions) =>
      call('GET /api/oauth/consent', { query: { request } }, options),
    /** Lets a client of OAuth act for an agent. The person's browser then goes on to `redirectUrl`. */
    consent: (body: Body<'POST /api/oauth/consent'>, options?: CallOptions) =>
      call('POST /api/oauth/consent', { body }, options),
    changePassword: (body: Body<'POST /api/session/password'>, options?: CallOptions) =>
      call('POST /api/session/password', { body }, options),
  }
}
