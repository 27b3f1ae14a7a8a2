import { addressGroup } from './rate-limiter.js'

/** Counts what each address holds open, up to a limit. */
export class PerAddress {
  readonly #open = new Map<string, number>()

  constructor(readonly limit: number) {}

  /** Counts one more. @returns what counts it as closed, or `undefined` beyond the limit */
  open(address: string): (() => void) | undefined {
    const group = addressGroup(address)
    const count = (this.#open.get(group) ?? 0) + 1
    if (count > this.limit) return undefined
    this.#open.set(group, count)
    return () => {
      const left = (this.#open.get(group) ?? 1) - 1
      if (left > 0) this.#open.set(group, left)
      else this.#open.delete(group)
    }
  }
}
