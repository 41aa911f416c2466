// Listens on the configured address, and names the setting when that fails.
import type { Config } from '../config/config.js'
import { ConfigError } from '../config/failure.js'
import { serve, type App, type Listening } from '../http/server/serve.js'
import type { Random } from '../domain/values/ids.js'

type Where = Pick<Config, 'host' | 'port'>

const noAddress = ({ host }: Where): string => `HOST must be an address of this machine, not ${JSON.stringify(host)}`

/** By the code of the system's error. */
const UNUSABLE: { [code: string]: (where: Where) => string } = {
  EADDRINUSE: ({ host, port }) => `PORT ${port} of ${host} is in use already`,
  EACCES: ({ host, port }) => `PORT ${port} of ${host} may not be used by this user`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
}

/** Throws ConfigError for an address or port that cannot be used. */
export async function listenOn({ host, port }: Where, app: App, random: Random): Promise<Listening> {
  try {
    return await serve(app, { host, port, random })
  } catch (error) {
    const reason = UNUSABLE[(error as NodeJS.ErrnoException).code ?? '']
    throw reason ? new ConfigError(reason({ host, port })) : error
  }
}
