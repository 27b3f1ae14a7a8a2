import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LayerFile } from '../../../config/layers.js'
import { loadConfig, shownPath } from '../../../config/load.js'
import { errorCode, SwapError } from '../../../engine/errors.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { endOf } from '../../job-control.js'
import { printOutcome } from '../../print-answer.js'
import { renderProblem } from '../../problem.js'
import { openTerminal } from '../../terminal.js'
import { changeFile, fileOf, presentText } from './change.js'
import type { ConfigEdited } from './config-answers.js'
import { sourcesOf } from './look.js'

/** Content of a new file. */
const BEGINNING = `# settings of swap, one a line, e.g. slippage: 0.3%
# every key with its default: swap config list; what they mean: swap help environment
`

/**
 * Opens a copy of the user's or the project's file in an editor. The copy replaces the file only when all of
 * it is valid; until then the user is asked whether to edit again.
 */
export const editConfig: Run = async (context, _args, flags) => {
  const editor = editorOf(context)
  const file = await fileOf(context, flags)
  const before = await presentText(file)
  const folder = await folderForCopy()
  const copy = join(folder, 'swaprc.yaml')
  let isKept = false
  try {
    await writeFile(copy, before || BEGINNING, { mode: 0o600 })
    const after = await editUntilValid(context, file, { editor, copy, before })
    return await printResult(context, flags, file, after !== before && after !== BEGINNING)
  } catch (error) {
    isKept = !(error instanceof SwapError && error.code === 'DECLINED')
    if (isKept) context.out.note(`what was edited is kept in ${copy}`)
    throw error
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}

async function folderForCopy(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'swap-config-'))
  } catch (error) {
    throw new SwapError('NOT_READY', 'a copy to edit cannot be made', {
      why: `the system says ${errorCode(error) ?? 'no reason'} for ${tmpdir()}`,
      hint: 'name a folder for temporary files: TMPDIR=/tmp swap config edit',
    })
  }
}

/** `before` is the text of the file, `undefined` if there is none. */
type EditSession = {
  readonly editor: string
  readonly copy: string
  readonly before: string | undefined
}

/** Edits the copy until it is valid. @returns its text */
async function editUntilValid(
  context: Context,
  file: LayerFile,
  editing: EditSession,
): Promise<string> {
  const { copy, before } = editing
  for (;;) {
    await runEditor(editing)
    try {
      const text = await presentText({ ...file, path: copy })
      if (text === undefined)
        throw nothingChanged(`the editor (${editing.editor}) removed its file`)
      if (text === (before || BEGINNING) && context.fault === undefined) return text
      await changeFile(file, async (present) => {
        if (present === before) return text
        throw new SwapError(
          'BUSY',
          `${file.shown} was changed by another program during the edit`,
          {
            why: 'replacing it now would undo that change',
            hint: 'run the command again',
          },
        )
      })
      return text
    } catch (error) {
      const isOfText = error instanceof SwapError && error.code === 'INVALID_REQUEST'
      if (!isOfText) throw error
      await askToGoOn(context, error)
    }
  }
}

function editorOf({ surroundings: { env, stdin }, out }: Context): string {
  const named = env['VISUAL']?.trim() || env['EDITOR']?.trim()
  if (named) return named
  if (stdin.isTTY && out.stdout.isTTY) return process.platform === 'win32' ? 'notepad' : 'vi'
  throw new SwapError('CONFIRMATION_REQUIRED', 'there is no terminal to edit at', {
    why: 'neither VISUAL nor EDITOR names an editor, and input or output is not a terminal',
    hint: 'change one value: swap config set <key> <value>',
  })
}

/** Runs the editor, whose variable may include arguments. @throws SwapError DECLINED */
async function runEditor({ editor, copy }: EditSession): Promise<void> {
  const child = spawn(`${editor} "${copy}"`, { shell: true, stdio: 'inherit' })
  const status = await endOf(child)
  if (status === 0) return
  throw nothingChanged(`the editor (${editor}) ended with ${status ?? 1}`)
}

const nothingChanged = (why: string): SwapError =>
  new SwapError('DECLINED', 'nothing was changed', {
    why,
    hint: 'name another one: EDITOR=nano swap config edit',
  })

/** Shows what is invalid and asks whether to continue editing. @throws SwapError if declined */
async function askToGoOn({ out, surroundings }: Context, error: SwapError): Promise<void> {
  const terminal = openTerminal(surroundings)
  if (terminal === undefined) throw error
  try {
    terminal.say(renderProblem(error, out.noteStyle))
    const answer = await terminal.line('Edit on? [Y/n] ')
    if (!/^n(o)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  throw new SwapError('DECLINED', 'nothing was changed', { why: error.message })
}

/** Prints the result and the warnings about the file. */
async function printResult(
  context: Context,
  flags: FlagValues,
  { path }: LayerFile,
  changed: boolean,
): Promise<void> {
  const { out, surroundings } = context
  const { notes } = changed ? await loadConfig(sourcesOf(context, flags)) : { notes: [] }
  for (const note of notes) out.note(note)
  const shown = shownPath(path, surroundings.home)
  const text = changed ? `${shown} is changed, and can be used` : `${shown} is as it was`
  const answer: ConfigEdited = { file: path, changed }
  return printOutcome(context, answer, text)
}
