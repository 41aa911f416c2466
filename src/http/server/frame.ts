// What every answer passes, whatever the process can answer at the moment: request ids, strict transport, metrics, and
// the one answer to bugs. It knows no route.
import Koa from 'koa'
import type { Log } from '../../domain/values/log.js'
import type { Random } from '../../domain/values/ids.js'
import { isClosedByClient } from './closedConnection.js'
import type { ContextState } from './context.js'
import { catchBugs } from './errors.js'
import type { Metrics } from './metrics.js'
import { requestIds } from './requestId.js'
import { strictTransport } from './securityHeaders.js'

export interface FramePorts {
  random: Random
  /** The public address is https: browsers are told to use nothing else. */
  isHttps: boolean
  /** True for an error that comes from the machine, its disk for example, and is no bug. */
  isUnavailable: (error: unknown) => boolean
  log: Log
}

/** An app that answers nothing yet. */
export function framed({ random, isHttps, isUnavailable, log }: FramePorts, metrics: Metrics): Koa<ContextState> {
  const app = new Koa<ContextState>()
  app.on('error', (error: Error) => {
    if (!isClosedByClient(error)) log('answer failed', { error })
  })
  app.use(requestIds(random))
  if (isHttps) app.use(strictTransport)
  app.use(metrics.observe)
  app.use(catchBugs(log, isUnavailable))
  return app
}
