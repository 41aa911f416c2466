// How LMDB opens a data folder, for whatever purpose.

export const ENVIRONMENT = {
  // lmdb takes a folder with a dot in its name for a file.
  noSubdir: false,
  maxDbs: 32,
  // With it a commit's last sync comes after the commit is done, and its failure is reported to nobody.
  overlappingSync: false,
} as const
