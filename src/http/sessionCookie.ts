// The cookie of a session: scripts cannot read it, other sites' forms do not send it, and over https it stays there.
import { SESSION_COOKIE } from './auth.js'

/** Sets the cookie to a token for `seconds`. `publicUrl` is where people's browsers find the service. */
export function cookieOf(publicUrl: string, token: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

export function endedCookie(publicUrl: string): string {
  return cookieOf(publicUrl, '', 0)
}
