// How LMDB opens a data folder, for whatever purpose.

export const ENVIRONMENT = {
  // lmdb takes a folder with a dot in its name for a file.
  noSubdir: false,
  maxDbs: 32,
  // With it a commit's last sync comes after the commit is done, and its failure is reported to nobody.
  overlappingSync: false,
} as const

/**
 * No read-ahead: the records that a command reads lie far apart, so the pages next to one are of no use to the others.
 * Room for a file of 64 GB is mapped at once, because every growth of the map leaves the old map behind, with its pages.
 */
export const MAPPED = { noReadAhead: true, mapSize: 2 ** 36 }
