// ISO 8601 times in UTC with milliseconds, the same text as `toISOString`. The text up to the second is reused while it
// stays the same.

/** A writer for times close to one another; use one writer for each such series. Takes whole epoch ms. */
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
