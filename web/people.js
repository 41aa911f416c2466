// What the pages for people do: each reads its form and asks the API. The session is in a cookie that no script sees.
const at = (id) => document.getElementById(id)
const say = (text) => (at('message').textContent = text)

async function ask(method, path, body) {
  const content = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, { method, ...content })
  const answer = await response.json()
  return { ok: response.ok, ...answer }
}

/** Where to go after signing in: a page of this service and of no other. */
function next() {
  const wanted = new URL(new URLSearchParams(location.search).get('next') ?? '/', location.origin)
  return wanted.origin === location.origin ? wanted.href : '/'
}

async function signIn() {
  const { ok, error } = await ask('POST', '/api/session', { email: at('email').value, password: at('password').value })
  if (ok) location.replace(next())
  else say(error)
}

function setup() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  // The link is a secret until it is used: not for whoever looks at the screen or the history.
  history.replaceState(null, '', location.pathname)
  return async () => {
    if (at('password').value !== at('again').value) return say('The two passwords differ')
    const { ok, error } = await ask('POST', '/api/session/setup', { token, password: at('password').value })
    if (ok) location.replace('/')
    else say(error)
  }
}

function home() {
  ask('GET', '/api/session').then(({ ok, member, organization }) => {
    at(ok ? 'form' : 'guest').hidden = false
    if (!ok) return
    at('who').textContent = member.email
    at('organization').textContent = organization.name
  })
  return async () => {
    await ask('DELETE', '/api/session')
    location.reload()
  }
}

/** Shows what an agent asks, as text and nothing else: agents write it. */
function showRequest({ status, decisions, requiredApprovals, expiresAt, requestedBy, payment }) {
  const agreed = decisions.filter(({ decision }) => decision === 'APPROVED').length
  const shown = {
    amount: `${payment.amount} ${payment.currency}`,
    recipient: [payment.recipientName, payment.recipientAddress].filter(Boolean).join(', '),
    purpose: [payment.purpose, payment.category].filter(Boolean).join(', ') || '–',
    agent: requestedBy.id,
    until: new Date(expiresAt).toLocaleString(),
    status: status === 'PENDING' ? `${agreed} of ${requiredApprovals} have approved` : status,
  }
  for (const [id, text] of Object.entries(shown)) at(id).textContent = text
  at('request').hidden = false
  at('form').hidden = status !== 'PENDING'
}

function approval() {
  const path = `/api/approval-requests/${location.pathname.split('/').at(-1)}`
  ask('GET', path).then(({ ok, code, error, ...request }) => {
    if (ok) showRequest(request)
    else if (code === 'AUTH_FAILED') location.replace(`/signin?next=${encodeURIComponent(location.pathname)}`)
    else say(error)
  })
  return async ({ submitter }) => {
    const said = { decision: submitter.value, comment: at('comment').value || null }
    const { ok, error, ...request } = await ask('POST', `${path}/decision`, said)
    if (ok) showRequest(request)
    else say(error)
  }
}

const PAGES = { home, setup, signin: () => signIn, approval }
const submit = PAGES[document.body.dataset.page]()

at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = event.target.querySelector('button')
  button.disabled = true
  say('')
  await submit(event).catch(() => say('The service did not answer: try again'))
  button.disabled = false
})
