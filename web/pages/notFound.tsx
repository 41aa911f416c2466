// Shown if the address leads to no page.
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { to } from '../router.js'

export default function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        title="This page does not exist"
        action={
          <a class="button" href={to()}>
            Back to overview
          </a>
        }
      >
        It may have been removed, or the link is incomplete.
      </Empty>
    </Page>
  )
}
