// The decision page: anyone with the link can open it, and by itself it shows nothing of the request.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

test.serial('the link to a request grants nothing without signing in', async (t) => {
  const { approvalRequestId: id } = await stage.waiting(await stage.supervised())
  const [page, other] = await Promise.all([id, 'nothing'].map((one) => fetch(`${stage.url}/approvals/${one}`)))
  t.deepEqual([page!.status, page!.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  t.is(await page!.text(), await other!.text())
  t.is((await fetch(`${stage.url}/api/approval-requests/${id}`)).status, 401)
  const decide = await fetch(`${stage.url}/api/approval-requests/${id}/decision`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: stage.url },
    body: JSON.stringify({ decision: 'APPROVED' }),
  })
  t.is(decide.status, 401)
  t.is((await stage.request(id)).status, 'PENDING')
})

test.serial('a decision from another origin is refused', async (t) => {
  const { approvalRequestId: id } = await stage.waiting(await stage.supervised())
  const { cookie } = await stage.person()
  const headers = { Origin: 'https://elsewhere.example' }
  const body = { decision: 'APPROVED' }
  const { status } = await stage.client.post(`/api/approval-requests/${id}/decision`, cookie, body, headers)
  t.is(status, 403)
})
