// Bounds how many tasks of the same name are open at a time, waiting ones included.
export type ConcurrencyLimit = <T>(name: string, work: () => Promise<T>) => Promise<T> | undefined

/** Undefined, with nothing begun, while `most` tasks of the name are open. */
export function concurrencyLimit(most: number): ConcurrencyLimit {
  const open = new Map<string, number>()
  const end = (name: string): void => {
    const left = open.get(name)! - 1
    if (left > 0) open.set(name, left)
    else open.delete(name)
  }
  return (name, work) => {
    const others = open.get(name) ?? 0
    if (others >= most) return undefined
    open.set(name, others + 1)
    return work().finally(() => end(name))
  }
}
