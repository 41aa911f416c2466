// Where the day begins: what waits, what was spent, and what went wrong.
import { Page } from '../components/page.js'

export default function Overview() {
  return <Page title="Overview">{null}</Page>
}
