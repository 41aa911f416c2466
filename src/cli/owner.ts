// Whose a data folder is: files that another user puts into it are readable by that user alone, not by the service.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE } from '../store/copy.js'
import { Failure } from './command.js'

/** The uid that the service has; undefined if it cannot be told. */
export function serviceUid(folder: string): number | undefined {
  const { uid } = statSync(folder)
  // A folder of root may be a volume that the service uses through its group.
  return uid === 0 ? statSync(join(folder, DATABASE), { throwIfNoEntry: false })?.uid : uid
}

/** Throws a Failure if this user is not the service's. */
export function refuseOtherUser(folder: string): void {
  const [uid, own] = [serviceUid(folder), process.geteuid?.()]
  if (own === undefined || uid === undefined || uid === own) return
  throw new Failure(
    `${folder} belongs to another user, and its service could not read the files of this one: ` +
      `run the command with sudo -u '#${uid}'`,
  )
}
