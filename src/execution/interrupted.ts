/** The user interrupted the execution before anything was sent. */
export class Interrupted extends Error {
  constructor() {
    super('stopped before anything was sent')
    this.name = 'Interrupted'
  }
}

/** `interrupt` is aborted by ctrl-c. */
export type Interruptible = { readonly interrupt: AbortSignal }

/** Called between steps while nothing has been sent. @throws Interrupted */
export function throwIfInterrupted({ interrupt }: Interruptible): void {
  if (interrupt.aborted) throw new Interrupted()
}
