import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { shownPath } from '../../../config/load.js'
import { errorCode, SwapError } from '../../../engine/errors.js'
import { replaceFile } from '../../../platform/atomic-file.js'
import { glyphsOf } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import type { Context, FlagValues, Run, Surroundings } from '../../command.js'
import { isMarked, type Place, placeOf, scripts, shellIn } from '../../completion/scripts.js'
import { isShell, type Shell, shells } from '../../completion/shells.js'
import { invalidRequest } from '../../invalid-request.js'
import { openTerminal } from '../../terminal.js'

/** Shows what would be written, asks, and writes it: one file, or one line at the end of one. */
export const install: Run = async (context, _args, flags) => {
  const { out, surroundings } = context
  const { shell, place } = placeIn(context, flags)
  const shown = shownPath(place.file, surroundings.home)
  const before = textOf(place.file)
  const after = place.kind === 'file' ? place.text : withLine(before, place)
  if (after === before) return out.result(`${shown} has it already`)
  const what =
    place.kind === 'file'
      ? `This writes one file and changes no other:\n  ${shown} (${(place.text.length / 1000).toFixed(1)} kB)`
      : `This adds one line to the end of ${shown}:\n  ${place.text.trimEnd()}`
  await requireYes(`${shell}. ${what}`, flags, surroundings)
  write(place.file, after)
  const { yes } = glyphsOf(out.style)
  return out.result(
    `${yes} written. It works in new shells; now: ${place.now}\n  undo: swap completion uninstall --shell ${shell}`,
  )
}

/** Removes exactly what installing wrote. */
export const uninstall: Run = async (context, _args, flags) => {
  const { out, surroundings } = context
  const { place } = placeIn(context, flags)
  const shown = shownPath(place.file, surroundings.home)
  const before = textOf(place.file)
  const isThere = place.kind === 'file' ? before !== '' : before.split('\n').some(isMarked)
  if (!isThere) return out.result(`there is nothing of it in ${shown}`)
  if (place.kind === 'file') rmSync(place.file)
  else write(place.file, withoutLine(before))
  return out.result(`${glyphsOf(out.style).yes} removed from ${shown}`)
}

function placeIn(
  { surroundings }: Context,
  { shell: asked }: FlagValues,
): { readonly shell: Shell; readonly place: Place } {
  const shell = asked === undefined ? shellIn(surroundings) : String(asked)
  if (shell === undefined || !isShell(shell))
    throw new SwapError(
      'INVALID_REQUEST',
      shell === undefined
        ? 'it cannot be seen which shell you use'
        : `${quote(shell)} is no shell that is known`,
      {
        why: `there are ${shells.join(', ')}`,
        hint: 'name it: --shell bash',
        members: { errors: [{ pointer: '/shell', detail: 'not known' }] },
      },
    )
  const place = placeOf(shell, surroundings)
  if (place !== undefined) return { shell, place }
  throw invalidRequest('there is no home folder to write to', '', {
    why: 'HOME is not set',
    hint: `print it instead: swap completion ${shell}`,
    detail: 'no home folder',
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
    throw new SwapError(
      'CONFIRMATION_REQUIRED',
      'writing this needs a confirmation, and there is no terminal to ask at',
      {
        why: text.replaceAll('\n', ' '),
        hint: 'confirm on the command line: --yes',
      },
    )
  try {
    terminal.say(text)
    const answer = await terminal.line('Continue? [y/N] ')
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  throw new SwapError('DECLINED', 'nothing was written', { why: 'it was not confirmed' })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw unwritable(file, error)
  }
}

/** Adds the line once, at the end, and replaces older forms. */
function withLine(before: string, { text }: Place): string {
  const rest = withoutLine(before)
  if (before.split('\n').includes(text.trimEnd())) return before
  return rest === '' || rest.endsWith('\n') ? rest + text : `${rest}\n${text}`
}

const withoutLine = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isMarked(line))
    .join('\n')

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, text, { mode: statSync(file, { throwIfNoEntry: false })?.mode ?? 'umask' })
  } catch (error) {
    throw unwritable(file, error)
  }
}

const unwritable = (file: string, error: unknown): SwapError =>
  invalidRequest(`${file} cannot be used`, '', {
    why: errorCode(error) ?? 'unknown reason',
    hint: 'print the script instead: swap completion bash',
    detail: 'the file cannot be used',
  })

/** Prints what a shell needs to complete `swap`. */
export const printScript =
  (shell: Shell): Run =>
  ({ out }) =>
    out.result(scripts[shell])
