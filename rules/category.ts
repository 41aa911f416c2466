// The form in which categories are kept and compared, so that letter case, composition and outer spaces do not matter.

/** Such text is in NFC, whatever the case of its letters. */
const ASCII = /^[\x20-\x7e]*$/

/** NFC, upper-case, without outer white space; empty for null and for nothing but white space. */
export function categoryOf(text: string | null): string {
  if (text !== null && ASCII.test(text)) return text.toUpperCase().trim()
  // Upper-casing can leave what is no longer NFC.
  return (text ?? '').normalize('NFC').toUpperCase().normalize('NFC').trim()
}
