// The port through which the core reports its own failures. Messages say what went wrong, never what the caller sent.
export type Log = (event: string, fields: { [name: string]: unknown }) => void
