// Runs tasks of the same name one at a time, in order of arrival. It forgets a name when its last task ends.
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A task waits for the previous one of its name, whether that succeeds or fails; other names do not wait. */
export function keyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const mine = before === undefined ? work() : before.then(work, work)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
