// The port the core reports its own failures through: what went wrong, never what the caller sent.
export type Log = (event: string, fields: { [name: string]: unknown }) => void
