import { randomBytes, randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { wrap } from '../../../render/width.js'
import type { Backup } from '../../../wallet/keyfile/key-document.js'
import { accountOf, requireFree, storeKey } from '../../../wallet/make.js'
import { entropyBytes, wordsOf } from '../../../wallet/mnemonic.js'
import { keepPrivate } from '../../../wallet/privacy.js'
import { wipe } from '../../../wallet/secret.js'
import { ensureFolder } from '../../../wallet/store/folder.js'
import { requireNotInBook, storeOf } from '../../accounts/named-accounts.js'
import { newPassword, type PasswordPrompt, requireTerminal } from '../../accounts/passwords.js'
import type { FlagValues } from '../../command.js'
import type { Terminal } from '../../terminal.js'
import { nextFor, printDone } from './key-info.js'
import { hdPathOf, type KeysCall, withPasswords, writeSecret } from './run.js'

/** Numbers words down the columns: four columns of six, or fewer if they do not fit. */
function wordTable(words: readonly string[], columns: number): string {
  const across = columns >= 64 ? 4 : columns >= 34 ? 2 : 1
  const down = Math.ceil(words.length / across)
  const cell = (at: number) =>
    words[at] === undefined ? '' : `${String(at + 1).padStart(2)} ${words[at]}`.padEnd(14)
  return Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (_, column) => cell(column * down + row))
      .join(' ')
      .trimEnd(),
  )
    .map((line) => `  ${line}`)
    .join('\n')
}

/** Number of words to type back, and attempts. */
const ASKED = 3
const TRIES = 5
/** Rows of the question below the words. */
const QUESTION_ROWS = 3

/** The screen that shows a mnemonic. @throws SwapError DECLINED if the terminal has too few rows */
function wordsScreen(terminal: Terminal, words: readonly string[]): string {
  const task = `Write these ${words.length} words down, in order. They are shown once and kept nowhere.`
  const lines = wrap(task, terminal.columns - 2).map((line) => `  ${line}`)
  const text = ['', ...lines, '', wordTable(words, terminal.columns), '', ''].join('\n')
  const rows = text.split('\n').length + QUESTION_ROWS
  if (rows > terminal.rows)
    throw new SwapError('DECLINED', 'the words do not fit on this terminal', {
      why: `they need ${rows} rows, and it has ${terminal.rows}; nothing was stored`,
      hint: 'make it larger, or write them to a file: --mnemonic-file <new file>',
    })
  return text
}

/**
 * Shows a mnemonic on the alternate screen until three of its words have been typed back.
 *
 * @throws Interrupted, SwapError DECLINED
 */
async function showWords(terminal: Terminal, words: readonly string[]): Promise<void> {
  const places = drawPlaces(words.length)
  const wanted = places.map((place) => words[place - 1])
  const listed = `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
  const question = `  Words ${listed}, to be sure you have them: `
  await terminal.apart(wordsScreen(terminal, words), async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const answer = (await terminal.line(question)).trim().toLowerCase()
      const typed = answer.split(/[\s,]+/)
      if (typed.length === ASKED && typed.every((word, at) => word === wanted[at])) return
      terminal.say('  These are not the words. Type the three with spaces between them.')
    }
    throw new SwapError('DECLINED', 'the words were not written down', {
      why: `wrong words were typed ${TRIES} times; nothing was stored`,
      hint: 'begin again: swap keys new <name>',
    })
  })
}

/** Three random positions in ascending order. */
function drawPlaces(count: number): readonly number[] {
  const places = new Set<number>()
  while (places.size < ASKED) places.add(randomInt(1, count + 1))
  return [...places].sort((a, b) => a - b)
}

/** Creates a key: a mnemonic from the system's random numbers, shown once or written to a file once. */
export const runNew = withPasswords(async (call, [name = '']) => {
  const { context, flags, asking } = call
  const store = storeOf(context.surroundings)
  const size = sizeOf(flags['words'])
  const hdPath = hdPathOf(flags) ?? context.config.network.hdPath
  await ensureFolder(store)
  requireNotInBook(context, name)
  await requireFree(store, name)
  // Room for as many words, before two passwords are typed.
  if (flags['mnemonicFile'] === undefined)
    wordsScreen(placeForWords(asking), listOf(wordsOf(Buffer.alloc(size))))
  keepPrivate()
  const password = await newPassword(asking, 'Password (12 characters or more, not echoed):')
  const secret = { kind: 'mnemonic' as const, bytes: randomBytes(size) }
  try {
    const account = await accountOf(secret, { hdPath, prefix: context.config.network.prefix })
    const { file, backup } = await keepWords(call, secret.bytes)
    const key = { name, secret, account, backup }
    const stored = await storeKey(store, key, password).catch(async (error: unknown) => {
      // Remove the mnemonic of a key that was not stored.
      if (file !== undefined) await rm(file, { force: true })
      throw error
    })
    await printDone(context, `made ${name}`, stored, {
      next: nextFor(context.config, name),
      members: file === undefined ? {} : { mnemonic_file: file },
    })
  } finally {
    wipe(secret.bytes, password)
  }
})

async function keepWords(
  { context: { surroundings }, flags, asking }: KeysCall,
  entropy: Uint8Array,
): Promise<{ readonly backup: Backup; readonly file?: string }> {
  const words = wordsOf(entropy)
  try {
    const file = flags['mnemonicFile']
    if (typeof file === 'string') {
      const text = Buffer.concat([words, Buffer.from('\n')])
      try {
        return { backup: 'written', file: await writeSecret(file, surroundings.cwd, text) }
      } finally {
        wipe(text)
      }
    }
    await showWords(placeForWords(asking), listOf(words))
    return { backup: 'checked' }
  } finally {
    wipe(words)
  }
}

const listOf = (words: Buffer): readonly string[] => words.toString('ascii').split(' ')

const placeForWords = (asking: PasswordPrompt): Terminal =>
  requireTerminal(asking, 'a place for the words', '--mnemonic-file <new file>')

function sizeOf(words: FlagValues[string]): number {
  const count = words === undefined ? 24 : Number(words)
  const size = count === 12 || count === 24 ? entropyBytes.get(count) : undefined
  if (size !== undefined) return size
  throw invalidRequest('a new mnemonic has 24 words, or 12', '', {
    why: '--words says something else',
    hint: 'leave --words out, or write --words 12',
  })
}
