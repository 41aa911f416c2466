// The first seed that finds a mistake, where that is late: the sample begins there, and `npm run mutants` at 1.
export const FIRST_SEEDS: { readonly [mistake: string]: number } = {
  'a permitted payment is cancelled': 53,
}
