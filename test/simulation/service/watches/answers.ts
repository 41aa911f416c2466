// No request makes the service fail, and no answer shows anything of another organization.
import { demand } from '../../violated.js'
import { COURIER_ENDED } from '../courier.js'
import { ID } from '../story.js'
import type { Exchange, Watch, World } from '../world.js'

export class Answers implements Watch {
  readonly #world: World
  /** The organization that each id was seen in first. */
  readonly #owners = new Map<string, string>()

  constructor(world: World) {
    this.#world = world
  }

  answered({ call, told }: Exchange): void {
    const logged = this.#world.service.logged.filter((line) => !line.includes(COURIER_ENDED))
    demand(
      'works',
      told.status < 500 && logged.length === 0,
      () => `${call.method} ${call.path}: ${told.text} ${logged}`,
    )
    const organization = call.organization?.id
    if (organization === undefined) return
    this.#trespass(call.path, organization, told.status)
    const named = `${call.path} ${JSON.stringify(call.body ?? {})}`
    for (const [id] of told.text.matchAll(ID)) {
      const owner: string = this.#owners.get(id) ?? organization
      this.#owners.set(id, owner)
      demand('border', owner === organization || named.includes(id), () => `${call.path} shows ${id} of another one`)
    }
  }

  #trespass(path: string, organization: string, status: number): void {
    const foreign = [...path.matchAll(ID)].find(([id]) => (this.#owners.get(id) ?? organization) !== organization)
    demand('border', foreign === undefined || status >= 400, () => `${path} of another one was answered ${status}`)
  }
}
