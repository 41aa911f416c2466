// The URLs of a service that has several nodes, and which of them is asked first. It sends nothing.
import type { BursarError } from './error.js'

export class Addresses {
  readonly #urls: readonly string[]
  #first = 0

  /** Throws a TypeError unless each is the URL of a service, and there is one. */
  constructor(baseUrl: string | readonly string[]) {
    const urls = typeof baseUrl === 'string' ? [baseUrl] : [...baseUrl]
    for (const url of urls.length === 0 ? [undefined] : urls) {
      // Reports an invalid URL here instead of at the first payment.
      if (!isWeb(url)) throw new TypeError(`baseUrl must be the http or https URL of the service, not ${String(url)}`)
    }
    this.#urls = urls.map((url) => url.replace(/\/+$/, ''))
  }

  get count(): number {
    return this.#urls.length
  }

  /** Each once, from the one that is asked first. */
  inOrder(): string[] {
    return [...this.#urls.slice(this.#first), ...this.#urls.slice(0, this.#first)]
  }

  /** Asks the next one first from now on, unless another call has left this one before. */
  leave(url: string): void {
    if (this.#urls[this.#first] === url) this.#first = (this.#first + 1) % this.#urls.length
  }
}

/** `localhost:3000` is a URL, too, of the scheme `localhost:`, and no request to it would ever leave. */
function isWeb(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** True where the node does not answer, or only a proxy or a node that takes no requests does. */
export function isAway({ status }: BursarError): boolean {
  return status === 0 || (status >= 502 && status <= 504)
}

/** True where certainly nothing was done. */
export function isUndone(failed: BursarError): boolean {
  return failed.code === 'NO_OWNER' || isUnsent(failed)
}

/** What `fetch` of Node and of Bun says of a connection that was never made. */
const UNCONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'])

/** True where nothing of the request has left. */
export function isUnsent({ status, cause }: BursarError): boolean {
  return status === 0 && (isUnconnected(cause) || (cause instanceof Error && isUnconnected(cause.cause)))
}

function isUnconnected(cause: unknown): boolean {
  const { code, syscall } = (cause ?? {}) as { code?: unknown; syscall?: unknown }
  return UNCONNECTED.has(String(code)) || syscall === 'connect'
}
