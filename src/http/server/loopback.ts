// Detects requests from this machine. A proxy on this machine forwards those of others, and its headers show that.
import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

export function isLocal({ socket, headers }: IncomingMessage): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined)
}
