// What reading the configuration needs in all its parts.
export type Environment = { readonly [name: string]: string | undefined }

/** The environment names something that cannot be used; the message is one line and names it. */
export class ConfigError extends Error {}
