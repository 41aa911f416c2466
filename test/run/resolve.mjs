// Gives gathered tests the `ava` of gather.mjs, which itself gets the real one.
const GATHER = new URL('./gather.mjs', import.meta.url).href

export function resolve(specifier, context, next) {
  if (specifier === 'ava' && context.parentURL !== GATHER) return { url: GATHER, shortCircuit: true }
  return next(specifier, context)
}
