// A message as Slack blocks: an open request with two buttons or one link. Slack would read markup in text, so no
// character of markup reaches it.
import type { NoticeMessage } from './message.js'

/** Characters of mrkdwn, each with one that looks alike and means nothing to Slack. */
const LOOKALIKES: { [character: string]: string } = {
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '<': '‹',
  '>': '›',
  '|': '∣',
}

/** Text that Slack shows as it is: no link, mention, emphasis, code, quote, list or emoji. */
function slackText(text: string): string {
  return text
    .replace(/[*~`<>|]/g, (character) => LOOKALIKES[character]!)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿')
    .replace(/@(?=[\p{L}\p{N}_])/gu, '＠')
    .replace(/#(?=[\p{L}])/gu, '＃')
    .replace(/:(?=[\w+'-]+:)/g, '꞉')
    .replaceAll('&', '&amp;')
}

const MOST_SHOWN = 2_900

export interface SlackMessage {
  text: string
  blocks: object[]
  unfurl_links: false
  unfurl_media: false
  link_names: false
}

/** `withButtons` where the channel can take their presses. */
export function slackMessageOf(message: NoticeMessage, withButtons: boolean): SlackMessage {
  const { subject, facts } = message
  return {
    // What notifications show.
    text: slackText(subject),
    blocks: [
      { type: 'header', text: plain(cut(slackText(subject), 150)) },
      ...sections(facts.map(({ label, text }) => `*${label}*: ${slackText(text)}`)).map((text) => ({
        type: 'section',
        text: { type: 'mrkdwn', text, verbatim: true },
      })),
      ...endOf(message, withButtons),
    ],
    unfurl_links: false,
    unfurl_media: false,
    link_names: false,
  }
}

/** The lines in as few texts as hold them: Slack takes 3,000 characters a section. */
function sections(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const line of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + line.length < MOST_SHOWN) texts[texts.length - 1] = `${last}\n${line}`
    else texts.push(cut(line, MOST_SHOWN))
  }
  return texts
}

function endOf({ subject, link, decides }: NoticeMessage, withButtons: boolean): object[] {
  if (decides !== null && withButtons) {
    const value = `${decides.approvalRequestId}.${decides.contentHash}.${decides.step}`
    return [
      {
        type: 'actions',
        elements: [
          button('approve', 'Approve', 'primary', value, subject),
          button('deny', 'Deny', 'danger', value, subject),
        ],
      },
    ]
  }
  if (link === null) return []
  return [
    { type: 'actions', elements: [{ type: 'button', action_id: 'open', text: plain(link.label), url: link.url }] },
  ]
}

function button(id: string, label: string, style: string, value: string, subject: string): object {
  const confirm = {
    title: plain(`${label}?`),
    text: plain(cut(slackText(subject), 300)),
    confirm: plain(label),
    deny: plain('Cancel'),
  }
  return { type: 'button', action_id: id, style, text: plain(label), value, confirm }
}

function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false }
}

/** An entity that is cut in two is dropped whole. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/&[a-z]*$|[\ud800-\udbff]$/, '')}…`
}
