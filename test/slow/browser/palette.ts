// Makes a screenshot small: the same picture with a palette of 256 colours, which is enough for a page, compressed as
// much as zlib can. It reads what Chromium writes (8 bits, colour with or without transparency, not interlaced) and
// nothing else.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS = 256
/** Squared distance below which colours count as the same. */
const NEAR = 600

interface Picture {
  width: number
  height: number
  /** Bytes per pixel: 3 or 4. */
  size: number
  pixels: Buffer
}

export function withPalette(png: Buffer): Buffer {
  const { width, height, size, pixels } = read(png)
  const colours: number[] = []
  for (let at = 0; at < pixels.length; at += size) colours.push(colourAt(pixels, at))
  const palette = mostUsed(colours)
  const nearest = new Map(palette.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [pixel, colour] of colours.entries()) {
    const index = nearest.get(colour) ?? nearestOf(palette, colour)
    nearest.set(colour, index)
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3], 8)
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', table),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const colourAt = (pixels: Buffer, at: number): number => pixels.readUIntBE(at, 3)

/**
 * The most used colours, and of the others those that differ from all before: a rare colour may be the one that
 * matters.
 */
function mostUsed(colours: number[]): number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const chosen: number[] = []
  for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
    const isNew = chosen.length < COLOURS / 2 || chosen.every((one) => distance(one, colour) > NEAR)
    if (isNew) chosen.push(colour)
    if (chosen.length === COLOURS) break
  }
  return chosen
}

/** The squared distance of two colours. */
const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 0xff) - ((other >> shift) & 0xff)) ** 2, 0)

function nearestOf(palette: number[], colour: number): number {
  return palette.reduce((best, one, index) => {
    return distance(one, colour) < distance(palette[best]!, colour) ? index : best
  }, 0)
}

function read(png: Buffer): Picture {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]]
  if (png[24] !== 8 || (kind !== 2 && kind !== 6)) throw new Error('This is not a picture as Chromium writes it')
  const size = kind === 2 ? 3 : 4
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return { width, height, size, pixels: unfiltered(inflateSync(Buffer.concat(parts)), width * size, size) }
}

/** PNG stores each byte as its difference from what the filter of its row predicts. */
function unfiltered(data: Buffer, stride: number, size: number): Buffer {
  const pixels = Buffer.alloc((data.length / (stride + 1)) * stride)
  for (let row = 0; row * stride < pixels.length; row += 1) {
    const filter = data[row * (stride + 1)]!
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column
      const left = column >= size ? pixels[at - size]! : 0
      const above = row > 0 ? pixels[at - stride]! : 0
      const corner = row > 0 && column >= size ? pixels[at - stride - size]! : 0
      pixels[at] = data[row * (stride + 1) + 1 + column]! + expected(filter, left, above, corner)
    }
  }
  return pixels
}

function expected(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const guess = left + above - corner
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
