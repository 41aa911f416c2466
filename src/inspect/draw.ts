// Draws all charts: the pictures that the build puts beside the compiled files. The service reads those and never lays
// anything out itself.
import bundled from 'elkjs/lib/elk.bundled.js'
import { charts } from '../../machines/index.js'
import { layOut, type Picture } from './layout.js'
import { outlineOf } from './outline.js'
import { svgOf } from './svg.js'

/** Each chart's name and its picture as SVG. */
export async function drawings(): Promise<[string, string][]> {
  return (await drawAll()).map((picture) => [picture.name, svgOf(picture)])
}

/** One after the other: the layout has one worker. */
export async function drawAll(): Promise<Picture[]> {
  // The library is CommonJS with a default of its own, which Node gives as the module itself.
  const Elk = bundled as unknown as typeof bundled.default
  const elk = new Elk()
  const pictures: Picture[] = []
  for (const [name, { machine }] of Object.entries(charts)) pictures.push(await layOut(elk, name, outlineOf(machine)))
  return pictures
}
