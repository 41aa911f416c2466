// The session cookie: HttpOnly, SameSite, and Secure when the service is on https.
import { SESSION_COOKIE } from './auth.js'

/** The `Set-Cookie` value for a token that lasts `seconds`. `publicUrl` is the service's public URL. */
export function cookieOf(publicUrl: string, token: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

export function endedCookie(publicUrl: string): string {
  return cookieOf(publicUrl, '', 0)
}
