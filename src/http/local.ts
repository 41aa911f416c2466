// Tells whether a request comes from this machine. A proxy on this machine brings those of others, and says so.
import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

export function isLocal({ socket, headers }: IncomingMessage): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined)
}
