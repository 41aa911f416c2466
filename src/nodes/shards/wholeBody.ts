// Reads the body of a request that is sent on only once it is known.
import type { IncomingMessage } from 'node:http'

export class TooLarge extends Error {}

/** Rejects with TooLarge for one of more bytes, whose rest is read and forgotten. */
export function wholeBody(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= most) return void chunks.push(chunk)
      chunks.length = 0
      reject(new TooLarge())
    })
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once('close', () => reject(new Error('The client has left')))
  })
}
