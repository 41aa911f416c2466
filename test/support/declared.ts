// Compares the errors that services answer to tests with those that /openapi.json declares for the operation: any other
// is an error of its own, in whatever test it comes up.

interface Declared {
  codes: string[]
  responses: object
  method: string
  pattern: RegExp
  /** The length of what is not a parameter: of two matches, the one with more of it is meant. */
  literal: number
}

interface Document {
  paths: { [path: string]: { [method: string]: { 'x-error-codes': string[]; responses: object } } }
}

const known = new Map<string, Promise<Declared[]>>()

async function readFrom(origin: string): Promise<Declared[]> {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  const declared = Object.entries(paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
    const literal = path.replace(/\{\w+\}/g, '').length
    return Object.entries(item).map(([method, { 'x-error-codes': codes, responses }]) => {
      return { method: method.toUpperCase(), pattern, literal, codes, responses }
    })
  })
  return declared.toSorted((a, b) => b.literal - a.literal)
}

/** Throws for an error that the operation does not declare; where there is no operation, nothing declares any. */
export async function checkDeclared(url: URL, method: string, status: number, code: unknown): Promise<void> {
  if (status < 400 || code === 'METHOD_NOT_ALLOWED') return
  const declared = known.get(url.origin) ?? readFrom(url.origin)
  known.set(url.origin, declared)
  // A service that has ended in the meantime declares nothing.
  const operations = await declared.catch(() => [])
  const operation = operations.find((one) => one.method === method && one.pattern.test(url.pathname))
  if (operation === undefined) return
  if (operation.codes.includes(code as string) && String(status) in operation.responses) return
  throw new Error(`${method} ${url.pathname} answers ${status} ${code}, which its description does not declare`)
}
