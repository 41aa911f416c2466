// Draws all charts as SVG at build time. The service reads the built pictures and never runs the layout.
import bundled from 'elkjs/lib/elk.bundled.js'
import { charts } from '../../machines/index.js'
import { layOut, type Picture } from './layout.js'
import { outlineOf } from './outline.js'
import { svgOf } from './svg.js'

/** Each chart's name and its SVG. */
export async function drawings(): Promise<[string, string][]> {
  return (await drawAll()).map((picture) => [picture.name, svgOf(picture)])
}

/** Sequential, because the layout has one worker. */
export async function drawAll(): Promise<Picture[]> {
  // elkjs is CommonJS with its own `default`, which the types know and Node does not import.
  const elk = new bundled.default()
  const pictures: Picture[] = []
  for (const [name, { machine }] of Object.entries(charts)) pictures.push(await layOut(elk, name, outlineOf(machine)))
  return pictures
}
