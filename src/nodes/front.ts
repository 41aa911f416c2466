import type { AnswerRequest } from '../http/server/connections.js'
import type { App } from '../http/server/serve.js'
export interface NodeState {
  nodeUrl: () => string
  shard: string
  role: () => 'OWNER' | 'STANDBY'
  owner: () => string | null
  epoch: () => number
  applied: () => number
  lag: () => number
  mayServe: () => boolean
}
export class Front implements App {
  #answer: AnswerRequest | undefined
  constructor(
    readonly state: NodeState,
    readonly key: Uint8Array,
  ) {}
  serve(app: App) {
    this.#answer = app.callback()
  }
  callback(): AnswerRequest {
    return (req, res) => {
      if (this.state.mayServe()) return this.#answer!(req, res)
      res.writeHead(503, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          code: 'NO_OWNER',
          owner: this.state.owner(),
          role: this.state.role(),
          applied: this.state.applied(),
        }),
      )
    }
  }
}
