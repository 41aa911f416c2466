// Lets work of one name be done one by one, in the order in which it came. It keeps no name that nobody works under.
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Work of the same name waits for the work before it, whatever became of that; other names do not wait. */
export function oneByOne(): InTurn {
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
