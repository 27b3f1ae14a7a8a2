/** The user interrupted the execution before anything was sent. */
export class Interrupted extends Error {
  override name = 'Interrupted'

  /** @param signed the id of the intent whose transaction is in the journal as signed; absent if nothing was signed */
  constructor(readonly signed?: string) {
    super('stopped before anything was sent')
  }
}

/** `interrupt` is aborted by ctrl-c. */
export type Interruptible = { readonly interrupt: AbortSignal }

/** Called between steps while nothing has been sent. @throws Interrupted */
export function throwIfInterrupted({ interrupt }: Interruptible, signed?: string): void {
  if (interrupt.aborted) throw new Interrupted(signed)
}
