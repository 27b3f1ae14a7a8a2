import { randomInt } from 'node:crypto'
import { SwapError } from '../../../engine/errors.js'
import type { Terminal } from '../../terminal.js'
import { wordTable } from './render-words.js'

/** Words that are asked for, and how often they may be wrong. */
const ASKED = 3
const TRIES = 5

/**
 * Shows a mnemonic on a screen of its own until three of its words have been typed back.
 *
 * @throws Interrupted, SwapError DECLINED
 */
export async function showWords(terminal: Terminal, words: readonly string[]): Promise<void> {
  const places = drawPlaces(words.length)
  const text = [
    '',
    `  Write these ${words.length} words down, in order. They are shown once and kept nowhere.`,
    '',
    wordTable(words, terminal.columns),
    '',
    '',
  ].join('\n')
  const wanted = places.map((place) => words[place - 1])
  const question = `  Words ${listOf(places)}, to be sure you have them: `
  await terminal.apart(text, async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const typed = (await terminal.line(question))
        .trim()
        .toLowerCase()
        .split(/[\s,]+/)
      if (typed.length === ASKED && typed.every((word, at) => word === wanted[at])) return
      terminal.say('  These are others. Type the three words with spaces between them.')
    }
    throw new SwapError('DECLINED', 'the words were not written down', {
      why: `${TRIES} times others were typed; nothing was stored`,
      hint: 'begin again: swap keys new',
    })
  })
}

/** Three places, in order. */
function drawPlaces(count: number): readonly number[] {
  const places = new Set<number>()
  while (places.size < ASKED) places.add(randomInt(1, count + 1))
  return [...places].sort((a, b) => a - b)
}

const listOf = (places: readonly number[]): string =>
  `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
