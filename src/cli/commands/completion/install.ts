import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { shownPath } from '../../../config/load.js'
import { errorCode, invalidRequest, SwapError } from '../../../engine/errors.js'
import { replaceNamedFile } from '../../../platform/atomic-file.js'
import { glyphsOf } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import type { Context, FlagValues, Run, Surroundings } from '../../command.js'
import { refuseFormFlag } from '../../common-flags.js'
import {
  type InstalledFile,
  isMarked,
  placeOf,
  scripts,
  shellIn,
} from '../../completion/scripts.js'
import { isShell, type Shell, shells } from '../../flags/command-flags.js'
import { printOutcome } from '../../print-answer.js'
import { isYes, noTerminal, openTerminal } from '../../terminal.js'

/** Shows what would be written, asks, and writes it: one file, or one line at the end of one. */
export const install: Run = async (context, _args, flags) => {
  const { out, surroundings } = context
  const { shell, place, file, shown, before } = placeIn(context, flags)
  if (isForeign(before, place))
    throw invalidRequest(`${shown} is not replaced`, '', {
      why: 'it is a file of another program',
      hint: `move it away first; or print the script instead: swap completion ${shell}`,
    })
  const after = place.kind === 'file' ? place.text : withLine(before, place)
  if (after === before)
    return printOutcome(context, { shell, file, changed: false }, `${shown} has it already`)
  const what =
    place.kind === 'file'
      ? `one file, and changes no other:\n  ${shown} (${(place.text.length / 1000).toFixed(1)} kB)`
      : `one line at the end of ${shown}:\n  ${place.text.trimEnd()}`
  await requireYes(`Completion for ${shell} is ${what}`, flags, surroundings)
  write(file, shell, after)
  const { yes } = glyphsOf(out.style)
  return printOutcome(
    context,
    { shell, file, changed: true },
    `${yes} written. It works in new shells; now: ${place.now}\n  undo: swap completion uninstall --shell ${shell}`,
  )
}

/** Removes exactly what installing wrote. */
export const uninstall: Run = async (context, _args, flags) => {
  const { shell, place, file, shown, before } = placeIn(context, flags)
  const isThere = place.kind === 'file' ? before !== '' : before.split('\n').some(isMarked)
  if (!isThere || isForeign(before, place)) {
    const change = { shell, file, changed: false }
    return printOutcome(context, change, `there is nothing of it in ${shown}`)
  }
  if (place.kind === 'file') rmSync(file)
  else write(file, shell, withoutLine(before))
  const removed = `${glyphsOf(context.out.style).yes} removed from ${shown}`
  return printOutcome(context, { shell, file, changed: true }, removed)
}

/** The file of the shell, its path for display, and its text. */
function placeIn({ surroundings }: Context, { shell: asked }: FlagValues) {
  const shell = asked === undefined ? shellIn(surroundings) : String(asked)
  if (shell === undefined || !isShell(shell)) {
    const unseen = 'it cannot be seen which shell you use'
    throw invalidRequest(
      shell ? `${quote(shell)} is not a shell that is known` : unseen,
      '/shell',
      {
        why: `the shells are ${shells.join(', ')}`,
        hint: 'name it: --shell bash',
      },
    )
  }
  const place = placeOf(shell, surroundings)
  if (place !== undefined) {
    const { file } = place
    const shown = shownPath(file, surroundings.home)
    return { shell, place, file, shown, before: textOf(file, shell) }
  }
  throw invalidRequest('there is no home folder to write to', '', {
    why: 'HOME is not set',
    hint: `print it instead: swap completion ${shell}`,
  })
}

async function requireYes(
  text: string,
  flags: FlagValues,
  surroundings: Surroundings,
): Promise<void> {
  if (flags['yes'] === true) return
  const terminal = openTerminal(surroundings)
  if (terminal === undefined)
    throw noTerminal(
      'writing this needs a confirmation',
      'confirm on the command line: --yes',
      text.replace(/\n */, ' '),
    )
  try {
    terminal.say(text)
    if (isYes(await terminal.line('Continue? [y/N] '))) return
  } finally {
    terminal.close()
  }
  throw new SwapError('DECLINED', 'nothing was written', { why: 'it was not confirmed' })
}

/** Whether another program wrote the file of completions that installing would write. */
const isForeign = (before: string, { kind, text }: InstalledFile): boolean =>
  kind === 'file' && before !== '' && before.split('\n', 1)[0] !== text.split('\n', 1)[0]

/** The text of a file, a character a byte: files of other programs keep every byte, in any encoding. */
function textOf(file: string, shell: Shell): string {
  try {
    const info = statSync(file, { throwIfNoEntry: false })
    if (info === undefined) return ''
    if (!info.isFile()) throw unusable(file, shell, 'it is not a regular file')
    const text = readFileSync(file, 'latin1')
    // PowerShell profiles may be UTF-16, where a line of bytes would be unreadable.
    if (text.includes('\0')) throw unusable(file, shell, 'it is not text of one byte a letter')
    return text
  } catch (error) {
    throw unwritable(file, shell, error)
  }
}

/** Adds the line once, at the end, and replaces older forms. */
function withLine(before: string, { text }: InstalledFile): string {
  const rest = withoutLine(before)
  if (before.split('\n').includes(text.trimEnd())) return before
  return rest === '' || rest.endsWith('\n') ? rest + text : `${rest}\n${text}`
}

const withoutLine = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isMarked(line))
    .join('\n')

function write(file: string, shell: Shell, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    replaceNamedFile(file, Buffer.from(text, 'latin1'))
  } catch (error) {
    throw unwritable(file, shell, error)
  }
}

const unwritable = (file: string, shell: Shell, error: unknown): unknown =>
  error instanceof SwapError
    ? error
    : unusable(file, shell, `the system says ${errorCode(error) ?? 'no reason'}`)

const unusable = (file: string, shell: Shell, why: string): SwapError =>
  invalidRequest(`${file} cannot be used`, '', {
    why,
    hint: `print the script instead: swap completion ${shell}`,
  })

/** Prints what a shell needs to complete `swap`. */
export const printScript =
  (shell: Shell): Run =>
  async ({ out }, _args, flags) => {
    refuseFormFlag(flags, `completion ${shell}`, 'it prints a script of the shell')
    return out.result(scripts[shell])
  }
