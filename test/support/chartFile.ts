// Where the chart of a kind is: a file, or the file of that name in its folder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './root.js'

/** From the project's root. */
export function chartFile(kind: string): string {
  const [file, inFolder] = [join('machines', `${kind}.ts`), join('machines', kind, 'chart.ts')]
  return existsSync(join(projectRoot, file)) ? file : inFolder
}
