// The part of HTTP answers that the load has to understand.
const HEAD_END = '\r\n\r\n'
const LENGTH = 'Content-Length: '
const ZERO = 48

/**
 * The length of the answer that begins here, head and body; undefined while its head is incomplete. Throws if the head
 * gives no length.
 */
export function lengthOf(answer: Buffer): number | undefined {
  const headEnd = answer.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const at = answer.indexOf(LENGTH)
  if (at < 0 || at > headEnd) throw new Error(`An answer without a length: ${answer.toString('latin1', 0, headEnd)}`)
  let length = 0
  for (let index = at + LENGTH.length; isDigit(answer[index]!); index += 1) length = length * 10 + answer[index]! - ZERO
  return headEnd + HEAD_END.length + length
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}
