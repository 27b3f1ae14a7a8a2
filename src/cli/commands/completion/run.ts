import type { Run } from '../../command.js'
import { scripts } from '../../completion/scripts.js'
import type { Shell } from '../../completion/shells.js'

/** Prints what a shell needs to complete `swap`. */
export const printScript =
  (shell: Shell): Run =>
  ({ out }) =>
    out.result(scripts[shell])
