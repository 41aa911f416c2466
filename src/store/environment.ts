// How LMDB opens a data folder, for whatever purpose.

/** Without `noSubdir`, lmdb takes a folder with a dot in its name for a file. */
export const ENVIRONMENT = { noSubdir: false, maxDbs: 32 } as const
