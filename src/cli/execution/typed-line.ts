import type { Key } from 'ink'
import { Interrupted, type InterruptKey } from '../exit.js'

/** Characters that a line may have; more are dropped. */
const MOST = 80

/** What the line is after a key, and whether the key ended it. */
export type TypedLine = { readonly line: string; readonly end?: 'enter' | 'escape' }

const interruptKeys: Readonly<Record<string, InterruptKey>> = { c: 'ctrl-c', d: 'ctrl-d' }

/**
 * Takes one key, or a pasted text, of which only the first line counts. Keys with ctrl, alt and
 * other modifiers never insert their letter.
 *
 * @throws Interrupted for ctrl-c and ctrl-d
 */
export function typeKey(line: string, input: string, key: Partial<Key>): TypedLine {
  if (key.escape) return { line: '', end: 'escape' }
  if (key.ctrl) {
    const interrupt = interruptKeys[input]
    if (interrupt !== undefined) throw new Interrupted(interrupt)
    // Answers are one word, or two: ctrl-w, which deletes a word, clears them too.
    return { line: input === 'u' || input === 'w' ? '' : line }
  }
  if (key.return) return { line, end: 'enter' }
  if (key.backspace || key.delete) return { line: line.slice(0, -1) }
  if (key.meta || key.super || key.hyper) return { line }
  const [first = '', ...rest] = input.split(/[\r\n]/)
  const text = line + first.replace(/[^\x20-\x7e]/g, '')
  return rest.length > 0 ? { line: text, end: 'enter' } : { line: text.slice(0, MOST) }
}
