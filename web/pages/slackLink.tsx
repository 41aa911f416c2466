// The target of the link that answers a press in Slack: the signed-in person says that this Slack user is them. It names
// the user first, because a link that another person sent would let them decide in this person's name.
import { api } from '../api.js'
import { Form, useSending } from '../components/form.js'
import { Notice } from '../components/loadingStates.js'
import { Page } from '../components/page.js'
import { go, to } from '../router.js'

interface Claim {
  teamId: string
  userId: string
  userName: string
}

/** What the token says; the service checks it. */
function claimIn(token: string): Claim | undefined {
  try {
    return JSON.parse(decodeURIComponent(token.slice(0, token.lastIndexOf('.')))) as Claim
  } catch {
    return undefined
  }
}

export default function SlackLink() {
  const { token = '' } = (history.state ?? {}) as { token?: string }
  const claim = claimIn(token)
  const sending = useSending(async () => {
    const { userName } = await api.call('POST /api/members/me/slack', { body: { token } })
    go(to('approvals'))
    return `${userName} in Slack is linked to you`
  })
  return (
    <Page title="Link your Slack user" lead="Its approvals and denials in Slack then count as yours.">
      {claim === undefined ? (
        <Notice tone="warning">Open the complete link that Slack showed to you.</Notice>
      ) : (
        <>
          <p>
            Slack user <strong>{claim.userName}</strong> ({claim.userId}) of the workspace {claim.teamId}
          </p>
          <Notice tone="warning">
            Link it only if this is you and you pressed the button yourself. If another person sent you the link, they
            would decide in your name.
          </Notice>
          <Form sending={sending} submit="This is me: link it">
            {null}
          </Form>
        </>
      )}
    </Page>
  )
}
