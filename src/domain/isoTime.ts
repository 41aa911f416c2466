// Times as JSON shows them: ISO 8601 in UTC with milliseconds. The text of a second is made once while times of the
// same second are asked for; it gives what `toISOString` gives.

/** A writer for times that come close to one another; others take another writer. Epoch ms, whole. */
export function isoWriter(): (ms: number) => string {
  let second: number | undefined
  let text = ''
  return (ms) => {
    const whole = Math.floor(ms / 1000)
    if (whole !== second) {
      text = new Date(ms).toISOString().slice(0, -'000Z'.length)
      second = whole
    }
    return `${text}${String(1000 + ms - 1000 * whole).slice(1)}Z`
  }
}
