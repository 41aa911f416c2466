// Every place of the dashboard, with something to see there: for what is looked at on all of them.
import type { Story } from './story.js'

export interface Shown {
  /** The name of its picture. */
  name: string
  place: string
  /** Seen when the page is whole. */
  sign: string
}

export function placesOf(story: Story): Shown[] {
  return [
    { name: 'overview', place: '', sign: 'Overview' },
    { name: 'approvals', place: 'approvals', sign: 'Waiting' },
    { name: 'approval-payment', place: `approvals/${story.approvals.payment}`, sign: 'Why a person is asked' },
    { name: 'approval-change', place: `approvals/${story.approvals.change}`, sign: 'What it would say' },
  ]
}
