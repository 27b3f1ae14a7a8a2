/** The user interrupted the execution before anything was sent. */
export class Interrupted extends Error {
  /** Id of the intent whose transaction is in the journal as signed; `undefined` if nothing was signed. */
  readonly signed: string | undefined

  constructor(signed?: string) {
    super('stopped before anything was sent')
    this.name = 'Interrupted'
    this.signed = signed
  }
}

/** `interrupt` is aborted by ctrl-c. */
export type Interruptible = { readonly interrupt: AbortSignal }

/** Called between steps while nothing has been sent. @throws Interrupted */
export function throwIfInterrupted({ interrupt }: Interruptible, signed?: string): void {
  if (interrupt.aborted) throw new Interrupted(signed)
}
