import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import { faultKind, faultKinds } from './catalogue.js'
import type { Fault, FaultRequest } from './fault.js'

/** Storage of active faults, shared by processes. */
type FaultStore = {
  read(): readonly Fault[]
  write(faults: readonly Fault[]): void
}

/** Faults in a file; invalid contents count as none. */
export const faultFile = (path: string): FaultStore => ({
  read() {
    const list = attempt(() => JSON.parse(readFileSync(path, 'utf8')) as unknown)
    const faults = Array.isArray(list) ? (list as readonly Fault[]) : []
    return faults.filter((fault) => faultKind(fault?.kind) !== undefined)
  },
  write(faults) {
    if (faults.length === 0) return rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    replaceFile(path, JSON.stringify(faults))
  },
})

/** Stores nothing. */
const noFaultStore: FaultStore = { read: () => [], write: () => {} }

/** The active faults. */
export class FaultBoard {
  #faults: readonly Fault[]

  /** @param now milliseconds since 1970 */
  constructor(
    readonly store: FaultStore = noFaultStore,
    readonly now: () => number = Date.now,
  ) {
    this.#faults = store.read()
  }

  /** The active faults in order of activation; removes expired ones. */
  active(): readonly Fault[] {
    const now = this.now()
    if (this.#faults.some(({ until }) => until !== undefined && until <= now))
      this.#keep(this.#faults.filter(({ until }) => until === undefined || until > now))
    return this.#faults
  }

  /**
   * Switches a fault on. It replaces a fault of the same kind, method and contract.
   *
   * @param height the chain's
   * @throws SwapError for an unknown kind, or a number out of its range
   */
  add(request: FaultRequest, height: number): Fault {
    const fault = this.#faultOf(request, height)
    const others = this.active().filter(
      ({ kind, method, pair }) =>
        kind !== fault.kind || method !== fault.method || pair !== fault.pair,
    )
    this.#keep([...others, fault])
    return fault
  }

  #faultOf(request: FaultRequest, height: number): Fault {
    const kind = faultKind(request.kind)
    if (!kind) throw unknownKind(request.kind)
    const { number } = kind
    const n = request.n ?? number?.fallback ?? 0
    if (request.n !== undefined && !number)
      throw invalidFault('/n', `${kind.kind} takes no number`, kind.does)
    if (number && !(Number.isInteger(n) && n >= number.least && n <= number.most))
      throw invalidFault(
        '/n',
        `${n} cannot be used for ${kind.kind}`,
        `it counts ${number.meaning}, from ${number.least} to ${number.most}`,
      )
    const { at } = kind.effect
    if (request.method !== undefined && at !== 'answer' && at !== 'view')
      throw invalidFault('/method', `${kind.kind} takes no --method`, 'it concerns no calls')
    if (request.pair !== undefined && (at === 'socket' || at === 'production'))
      throw invalidFault('/pair', `${kind.kind} takes no --pair`, 'it concerns no contract')
    const id = Math.max(0, ...this.#faults.map((each) => each.id)) + 1
    return {
      id,
      kind: kind.kind,
      n,
      once: request.once ?? false,
      seed: request.seed ?? 1,
      height,
      ...(request.forMs !== undefined && { until: this.now() + request.forMs }),
      ...(request.method !== undefined && { method: request.method }),
      ...(request.pair !== undefined && { pair: request.pair }),
    }
  }

  /** Switches off all faults, or one kind; returns those that were active. */
  clear(kind?: string): readonly Fault[] {
    if (kind !== undefined && !faultKind(kind)) throw unknownKind(kind)
    const ended = this.active().filter((fault) => kind === undefined || fault.kind === kind)
    this.#keep(this.#faults.filter((fault) => !ended.includes(fault)))
    return ended
  }

  /** Removes a fault that was limited to one call. */
  spend(fault: Fault): void {
    if (fault.once) this.#keep(this.#faults.filter(({ id }) => id !== fault.id))
  }

  #keep(faults: readonly Fault[]): void {
    this.#faults = faults
    this.store.write(faults)
  }
}

const invalidFault = (pointer: string, message: string, why: string): SwapError =>
  invalidRequest(message, pointer, { why, hint: 'list them: swap demo fail' })

const unknownKind = (kind: string): SwapError =>
  invalidRequest(`no fault is called "${kind.slice(0, 40)}"`, '/kind', {
    why: `the faults are ${faultKinds.map((each) => each.kind).join(', ')}`,
    hint: 'see what each does: swap demo fail',
  })
