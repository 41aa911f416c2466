// Editing what others may edit at the same time: input is kept over newer reads, only changed fields are sent, and a
// change by somebody else is not overwritten before it was shown.
import { useState } from 'preact/hooks'
import { BursarError } from './api.js'

export interface Edit<T> {
  /** The values of the fields: the input, and for untouched fields the latest read. */
  draft: T
  set: (part: Partial<T>) => void
  /**
   * The fields to send if the record is `now`. Throws once if that would overwrite a change by somebody else; the names
   * in `T` are the paths of the fields beside which that is shown.
   */
  changes: (now: T) => Partial<T>
  /** To be called when the input is saved. */
  saved: () => void
}

export function useEdit<T extends object>(read: T): Edit<T> {
  const [typed, setTyped] = useState<Partial<T>>({})
  /** The value of each field when it was first edited. */
  const [before, setBefore] = useState<Partial<T>>({})
  const set = (part: Partial<T>): void => {
    setTyped((all) => ({ ...all, ...part }))
    setBefore((all) => ({ ...only(read, namesOf(part)), ...all }))
  }
  const changes = (now: T): Partial<T> => {
    const meant = namesOf(typed).filter((name) => !same(typed[name], before[name]))
    const changed = meant.filter((name) => !same(typed[name], now[name]))
    const overtaken = changed.filter((name) => !same(before[name], now[name]))
    setBefore((all) => ({ ...all, ...only(now, overtaken) }))
    if (overtaken.length > 0) throw conflict(overtaken.map((name) => [name, now[name]]))
    return only(typed, changed)
  }
  const saved = (): void => {
    setTyped({})
    setBefore({})
  }
  return { draft: { ...read, ...typed }, set, changes, saved }
}

/** The values of a form that makes something new. */
export function useDraft<D extends object>(start: D): Pick<Edit<D>, 'draft' | 'set'> {
  const [draft, setDraft] = useState(start)
  return { draft, set: (part) => setDraft((before) => ({ ...before, ...part })) }
}

export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

type Name<T> = keyof T & string

const namesOf = <T extends object>(part: Partial<T>): Name<T>[] => Object.keys(part) as Name<T>[]

const only = <T extends object>(whole: Partial<T>, names: readonly Name<T>[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Partial<T>

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function conflict(overtaken: (readonly [path: string, now: unknown])[]): BursarError {
  const details = overtaken.map(([path, now]) => ({
    path,
    message: `Someone else has set this to “${String(now)}” in the meantime. Save again to overwrite it`,
  }))
  return new BursarError('Someone else has changed this in the meantime', {
    code: 'VERSION_CONFLICT',
    status: 412,
    details,
  })
}
