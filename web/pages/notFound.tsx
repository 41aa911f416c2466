// Shown if the address leads to no page.
import { Page } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { to } from '../router.js'

export default function NotFound() {
  return (
    <Page title="No such page">
      <Empty
        title="Nothing is at this address"
        action={
          <a class="button" href={to()}>
            To the overview
          </a>
        }
      >
        It may have been removed, or the link is incomplete.
      </Empty>
    </Page>
  )
}
