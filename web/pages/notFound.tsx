// Shown if the address leads to no page.
import { ButtonLink } from '../components/button.js'
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { to } from '../router.js'

export default function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="This page does not exist" action={<ButtonLink href={to()} label="Back to overview" />}>
        It may have been removed, or the link is incomplete.
      </Empty>
    </Page>
  )
}
