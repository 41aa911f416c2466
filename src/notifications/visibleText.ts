// Makes text of others (agents, recipients, members) safe to stand in a message: one line of visible characters that
// reads in its own direction, holds no link, and is short. The renderers escape it besides, each for its own format.
/// <reference lib="es2024.string" />

const BLANK = /[\s\p{Z}\p{Cc}]+/gu
/** Formatting characters (bidirectional ones, zero-width ones, tags), private and unassigned ones, and invisible letters. */
const INVISIBLE = /\u034f|\u17b4|\u17b5|[\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]/gu
/** More marks on one letter than any script has: they would cover the lines around. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu
/** What programs make a link of. */
const SCHEME = /([a-z][a-z\d+.-]*):(?=\/\/)/giu
const LINKED_PREFIX = /\b(www|ftp)\.(?=\S)/giu
const LINKED_WORD = /\b(javascript|data|mailto|tel|file|slack):(?=\S)/giu
/** Between labels of a name: also the dots that browsers read as one. */
const DOMAIN = /(?<=[\p{L}\p{M}\p{N}\p{S}])([.\u3002\uff0e\uff61])(?=\p{L}[\p{L}\p{M}])/gu
const ADDRESS = /(?<=[\p{L}\p{M}\p{N}\p{P}\p{S}])([@\uff20\ufe6b])(?=[\p{L}\p{N}])/gu
/** The service puts text of others between these quotation marks, and nothing else. */
const QUOTATION = /[“”„‟«»]/gu

/** At most `most` characters (code points). */
export function visible(text: string, most: number): string {
  // Bounded first: what follows must not take long on a megabyte of marks.
  const clean = text
    .slice(0, 8 * most)
    .toWellFormed()
    .normalize('NFC')
    .replace(BLANK, ' ')
    .replace(INVISIBLE, '')
    .replace(PILED_MARKS, '$1')
    .replace(QUOTATION, '"')
    .replace(SCHEME, '$1[:]')
    .replace(LINKED_WORD, '$1[:]')
    .replace(LINKED_PREFIX, '$1[.]')
    .replace(DOMAIN, '[$1]')
    .replace(ADDRESS, '[$1]')
    .trim()
  const characters = [...clean]
  return characters.length <= most
    ? clean
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** The text as somebody else's words: in quotation marks, which it cannot end. */
export function inQuotes(text: string, most: number): string {
  return `“${visible(text, most)}”`
}

/** 1250.5 → `1,250.50`; at most six decimals, which is exact for amounts. */
export function amountText(amount: number): string {
  const [units = '0', decimals = ''] = amount.toFixed(6).split('.')
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${grouped}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`
}
