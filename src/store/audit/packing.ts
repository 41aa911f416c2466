// Packs what is old of audit logs, a group at a time: the pack is written and its rows are removed in one commit. Whoever
// reads meanwhile finds each entry in one of both.
// INVARIANT: the last entries of each log, at least a group of them, stay as they are; the chain goes on from the last.
import type { EntryRow } from '../records/entryForm.js'
import { auditKey, sequenceIn, under } from '../records/keys.js'
import { DamagedRecord } from '../storedRows.js'
import { firstParts, type Table } from '../table.js'
import { canPack, firstOf, GROUP, MOST_PACKED_BYTES, packed, type AuditPacks } from './packs.js'

interface Ports {
  entries: Table<EntryRow>
  packs: AuditPacks
  flushed(): Promise<void>
}

export class Packing {
  readonly #ports: Ports
  /** Organizations with logs of earlier processes, until all have been seen. */
  #earlier: Iterator<string> | undefined
  /** Organizations that may have a group to be packed, the one that waits longest first. */
  readonly #waiting = new Set<string>()
  /** The group after those that stay as they are, where no later one is packed. */
  readonly #passed = new Map<string, number>()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** The organization's log has an entry of this sequence now. */
  note(organization: string, sequence: number): void {
    if (sequence % GROUP === 0) this.#waiting.add(organization)
  }

  /**
   * Looks at one log, and packs the next group of it. Resolves when that is durable, to the milliseconds for which it
   * held the event loop; undefined where nothing is left.
   */
  async next(): Promise<number | undefined> {
    const organization = this.#longestWaiting()
    if (organization === undefined) return undefined
    const began = performance.now()
    const group = this.#nextGroup(organization)
    const texts = group === undefined ? undefined : this.#texts(organization, group)
    const readMs = performance.now() - began
    if (group === undefined) return readMs
    this.#waiting.add(organization)
    if (!texts) this.#passed.set(organization, group + 1)
    return readMs + (texts ? await this.#pack(organization, group, texts) : 0)
  }

  #longestWaiting(): string | undefined {
    for (const organization of this.#waiting) {
      this.#waiting.delete(organization)
      return organization
    }
    this.#earlier ??= firstParts(this.#ports.entries)
    return this.#earlier.next().value as string | undefined
  }

  #nextGroup(organization: string): number | undefined {
    const group = Math.max(this.#ports.packs.last(organization) + 1, this.#passed.get(organization) ?? 0)
    return this.#lastOf(organization) >= (group + 2) * GROUP ? group : undefined
  }

  #lastOf(organization: string): number {
    const { start, end } = under(organization)
    for (const key of this.#ports.entries.keys({ start: end, end: start, reverse: true, limit: 1 }))
      return sequenceIn(key)
    return 0
  }

  /** The rows of the group; undefined where it stays as it is: too large, damaged or not whole. */
  #texts(organization: string, group: number): Buffer[] | undefined {
    const texts: Buffer[] = []
    let bytes = 0
    try {
      for (let at = 0; at < GROUP; at += 1) {
        const text = this.#ports.entries.bytes(auditKey(organization, firstOf(group) + at))
        bytes += text?.length ?? Infinity
        if (bytes > MOST_PACKED_BYTES) return undefined
        texts.push(text!)
      }
    } catch (error) {
      if (error instanceof DamagedRecord) return undefined
      throw error
    }
    return canPack(texts) ? texts : undefined
  }

  async #pack(organization: string, group: number, texts: readonly Buffer[]): Promise<number> {
    const pack = await packed(texts)
    const began = performance.now()
    this.#ports.packs.put(organization, group, pack)
    for (let at = 0; at < GROUP; at += 1) this.#ports.entries.remove(auditKey(organization, firstOf(group) + at))
    this.#passed.delete(organization)
    const heldMs = performance.now() - began
    await this.#ports.flushed()
    return heldMs
  }
}
