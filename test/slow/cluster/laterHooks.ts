// Makes a process one of a later version, whose tables have another layout: loaded before anything of the service.
import type { LoadHook } from 'node:module'

/** The module of a schema, with the next number and an empty step that leads to it. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context)
  if (!url.endsWith('/store/migration/schema.js')) return loaded
  const source = String(loaded.source)
  const [, number] = /export const SCHEMA = (\d+)/.exec(source) ?? []
  const later = source
    .replace(/(export const SCHEMA = )\d+/, `$1${Number(number) + 1}`)
    .replace(/(export const SCHEMA_STEPS = \{)/, `$1 ${number}: {},`)
  return { ...loaded, source: later }
}
