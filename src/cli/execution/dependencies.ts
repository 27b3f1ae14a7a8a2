import type { Signed, Unsigned } from '../../chain/tx/unsigned-tx.js'
import type { Journal, Owner } from '../../execution/journal/intent.js'
import type { Chain, Codec, Ledger } from '../../execution/ports.js'

/** The SDK's JSON of transactions, and their bytes. */
export type SdkTx = {
  /** Whether a document looks like one, whatever is in it. */
  looksLike(document: unknown): boolean
  /** @throws SwapError INVALID_REQUEST */
  read(document: unknown): Unsigned & Partial<Signed>
  unsigned(tx: Unsigned): object
  signed(tx: Signed): object
  /** What the bytes of a signed transaction say. @throws SwapError INVALID_REQUEST */
  decode(txBytes: Uint8Array): Signed
}

/** Everything that the commands which sign and send need of the rest of the program. */
export type ExecutionParts = {
  readonly codec: Codec
  readonly sdk: SdkTx
  readonly journal: Journal
  readonly ledger: Ledger
  /** Holds an account. @throws SwapError BUSY */
  lock(owner: Owner, waitMs: number): Promise<{ release(): void }>
  newId(): string
  /** The network; the demo chain is started where nothing runs it. */
  chain(): Promise<Chain>
  /** How often a chain is looked at, in milliseconds. */
  readonly pollIntervalMs: number
}
