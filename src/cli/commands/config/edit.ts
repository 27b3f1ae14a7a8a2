import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LayerFile } from '../../../config/layers.js'
import { loadConfig, shownPath } from '../../../config/load.js'
import { SwapError } from '../../../engine/errors.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { renderProblem } from '../../problem.js'
import { openTerminal } from '../../terminal.js'
import { absent, fileOf, replace } from './change.js'
import { sourcesOf } from './look.js'

/** Content of a new file. */
const BEGINNING = `# settings of swap, one a line, e.g. slippage: 0.3%
# every key with its default: swap config list; what they mean: swap help environment
`

/**
 * Opens the user's file, or the project's, in an editor, as a copy. What comes back takes its place
 * only when all of it can be used; until then the user is asked whether to edit again.
 */
export const editConfig: Run = async (context, _args, flags) => {
  const editor = editorOf(context)
  const file = await fileOf(context, flags)
  const folder = await mkdtemp(join(tmpdir(), 'swap-config-'))
  try {
    const copy = join(folder, 'swaprc.yaml')
    const before = await readFile(file.path, 'utf8').catch(absent)
    await writeFile(copy, before === '' ? BEGINNING : before, { mode: 0o600 })
    const after = await edited(context, file, { editor, copy })
    return await printResult(context, flags, file, after !== before && after !== BEGINNING)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Editing = { readonly editor: string; readonly copy: string }

/** Lets the copy be edited until it can take the place of the file. @returns its text */
async function edited(context: Context, file: LayerFile, editing: Editing): Promise<string> {
  const before = await readFile(editing.copy, 'utf8')
  for (;;) {
    await opened(editing)
    const text = await readFile(editing.copy, 'utf8')
    if (text === before && context.fault === undefined) return text
    try {
      await replace(file, text)
      return text
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      await askToGoOn(context, error)
    }
  }
}

function editorOf({ surroundings: { env, stdin }, out }: Context): string {
  const named = env['VISUAL'] || env['EDITOR']
  if (named) return named
  if (stdin.isTTY && out.stdout.isTTY) return process.platform === 'win32' ? 'notepad' : 'vi'
  throw new SwapError('CONFIRMATION_REQUIRED', 'there is no terminal to edit at', {
    why: 'standard input or output is no terminal, and neither VISUAL nor EDITOR names an editor',
    hint: 'change one value: swap config set <key> <value>',
  })
}

/** Runs the editor, whose variable may hold arguments as well. @throws SwapError DECLINED */
async function opened({ editor, copy }: Editing): Promise<void> {
  const status = await new Promise<number>((resolve, reject) => {
    const child = spawn(`${editor} "${copy}"`, { shell: true, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  if (status === 0) return
  throw new SwapError('DECLINED', 'nothing was changed', {
    why: `the editor (${editor}) ended with ${status}`,
    hint: 'name another one: EDITOR=nano swap config edit',
  })
}

/** Shows what cannot be used, and asks whether to edit on. @throws SwapError where that is a no */
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
  const { out, form, surroundings } = context
  const { notes } = changed ? await loadConfig(sourcesOf(context, flags)) : { notes: [] }
  for (const note of notes) out.note(note)
  if (form.quiet > 0) return
  if (form.kind === 'json') return out.result(JSON.stringify({ file: path, changed }))
  const shown = shownPath(path, surroundings.home)
  return out.result(changed ? `${shown} is changed, and can be used` : `${shown} is as it was`)
}
