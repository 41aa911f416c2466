// Edits: a field that is undefined was left out, and stays as it is.

export type FieldsGiven<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }

export function omitUndefined<Fields extends object>(fields: Fields): FieldsGiven<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as FieldsGiven<Fields>
}
