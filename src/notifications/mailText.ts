// A message as a mail: subject, plain text and HTML. The HTML has no images, styles or scripts to be fetched.
import type { NoticeMessage } from './message.js'

export interface MailText {
  subject: string
  text: string
  html: string
}

export function mailTextOf({ subject, facts, link }: NoticeMessage): MailText {
  const lines = facts.map(({ label, text }) => `${label}: ${text}`)
  const end = link === null ? [] : ['', `${link.label}: ${link.url}`]
  return {
    subject: `Bursar: ${subject}`,
    text: [subject, '', ...lines, ...end, ''].join('\n'),
    html: htmlOf({ subject, facts, link }),
  }
}

function htmlOf({ subject, facts, link }: Pick<NoticeMessage, 'subject' | 'facts' | 'link'>): string {
  const rows = facts.map(
    ({ label, text }) =>
      `<tr><th align="left" valign="top">${escaped(label)}</th><td><bdi>${escaped(text)}</bdi></td></tr>`,
  )
  const end = link === null ? '' : `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(subject)}</title></head><body>`,
    `<h1 style="font-size:1.2em">${escaped(subject)}</h1>`,
    `<table cellpadding="4">${rows.join('')}</table>${end}</body></html>`,
  ].join('')
}

const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
