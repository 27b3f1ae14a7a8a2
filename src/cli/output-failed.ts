import { SwapError } from '../engine/errors.js'

/** stdout could not be written, for another reason than a reader that left: a full disk, a lost terminal. */
export class OutputFailed extends SwapError {
  /** @param reason what the system said, e.g. `ENOSPC: no space left on device, write` */
  constructor(reason: string) {
    super('NOT_READY', 'the output could not be written', {
      why: `stdout: ${reason}`,
      hint: 'free space there, or send the output elsewhere, then run the command again',
    })
  }
}
