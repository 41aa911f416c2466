// Whose a data folder is: files that another user puts into it are readable by that user alone, not by the service.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE } from '../../store/folder/files.js'
import { Failure } from '../../config/failure.js'

/** The uid that the service has; undefined if that is root's, who reads every file, or if it cannot be told. */
export function serviceUid(folder: string): number | undefined {
  // The service has made its database, but perhaps not the folder: that may be a volume of root, which the service uses
  // through its group, or belong to a user of the machine while the service is root in a container.
  const { uid } = statSync(join(folder, DATABASE), { throwIfNoEntry: false }) ?? statSync(folder)
  return uid === 0 ? undefined : uid
}

export function refuseOtherUser(folder: string): void {
  const [uid, own] = [serviceUid(folder), process.geteuid?.()]
  if (own === undefined || uid === undefined || uid === own) return
  throw new Failure(
    `${folder} belongs to another user, and its service could not read the files of this one: ` +
      `run sudo -u '#${uid}' env BURSAR_DATA_DIR=${folder} bursar …`,
  )
}
