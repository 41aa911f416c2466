// bursar sanctions load FILE: checks a list and writes it to the data folder, where a running service finds it at once.
// A list with any error is refused, and the previous one stays in force.
import { refuse } from '../../domain/outcomes/result.js'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { daysTooOld, readSanctionsList, SANCTIONS_FILE } from '../../domain/parties/sanctions.js'
import { DATABASE } from '../../store/folder/files.js'
import { writeWhole } from '../../store/folder/fsync.js'
import { showing, type Shown } from '../terminal/asking.js'
import { Failure } from '../../config/failure.js'
import { type CommandContext } from '../terminal/command.js'
import { refuseOtherUser } from './owner.js'
import { clean } from '../terminal/show.js'

export const sanctionsCommands = {
  'sanctions load': showing({
    usage: 'sanctions load FILE',
    summary: 'replace the list of sanctioned addresses',
    run: async ({ words: [file] }, context) => load(file!, context),
  }),
}

function load(file: string, { dataDir, complain }: CommandContext): Shown {
  const text = textOf(file)
  const found = text === undefined ? refuse('VALIDATION_ERROR', 'cannot be read') : readSanctionsList(text)
  if (!found.ok) throw new Failure(`${file} ${found.refusal.message}; the list in force was not changed`)
  const folder = resolve(dataDir())
  if (!existsSync(join(folder, DATABASE))) {
    throw new Failure(`${folder} is not the data folder of a service: set BURSAR_DATA_DIR`)
  }
  refuseOtherUser(folder)
  const path = join(folder, SANCTIONS_FILE)
  writeWhole(path, text!, `${path}.${process.pid}.unfinished`)
  const { name, date, addresses } = found.value
  const days = daysTooOld(found.value, Date.now())
  if (days !== undefined) complain(`The list is ${days} days old`)
  const count = addresses.size === 1 ? '1 address' : `${addresses.size} addresses`
  const sentence = `${clean(name)} of ${date} is in force in ${folder}: ${count}`
  return { json: { list: name, date, folder, addresses: addresses.size }, lines: () => [sentence] }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
