// What is measured: a server in a process of its own, and the one request that is sent to it over and over.

export interface Target {
  name: string
  /** On 127.0.0.1. */
  port: number
  /** Whole requests, head and body, dealt to the connections in turn. */
  requests: string[]
  /** What every answer holds; one without it ends the bench. */
  expected: string
  /** CPU time that the process has used so far, all its threads, microseconds. */
  cpuMicros(): Promise<number>
  /** Events that arrived so far, where any are sent. */
  delivered?(): Promise<number>
  end(): Promise<void>
}

/** A POST of JSON as it goes over the wire. */
export function postOf(path: string, body: object, key: string): string {
  const json = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${json}`
}
