import { setTimeout as wait } from 'node:timers/promises'
import type { Chain } from '../blocks/chain.js'
import type { Meddler } from '../faults/fault-injection.js'

/** A real node's block is there before its state answers, and its transactions are found later still. */
const ACCEPT_MS = 6
const INDEX_MS = 6

/** Makes a block every block time, as long as no fault stands against it. */
export class Producer {
  readonly #ending = new AbortController()
  #loop: Promise<void> | undefined

  constructor(
    readonly chain: Chain,
    readonly meddler: Meddler,
    readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Finishes the block in the making, and makes no more. */
  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#loop
  }

  /** By a clock of its own: what a block takes does not put off the next one. */
  async #run(): Promise<void> {
    const { signal } = this.#ending
    const { blockTimeMs } = this.chain.options
    let due = performance.now() + blockTimeMs
    for (;;) {
      await wait(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      await this.#make()
      due += blockTimeMs
      // After a sleep of the machine there is no catching up.
      if (due < performance.now() - blockTimeMs) due = performance.now() + blockTimeMs
    }
  }

  async #make(): Promise<void> {
    try {
      if (!this.meddler.producing()) return
      this.chain.seal(this.meddler.meddling)
      await wait(ACCEPT_MS)
      this.chain.accept()
      await wait(INDEX_MS)
      this.chain.index()
    } catch (error) {
      this.failed(error)
    }
  }
}
