import { commonWords } from './common-words.js'

/** Rows of keyboards and counting, which fingers walk along in either direction. */
const WALKS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm'],
  ...['qwertzuiopasdfghjklyxcvbnm', 'azertyuiopqsdfghjklmwxcvbn', '1qaz2wsx3edc4rfv5tgb6yhn7ujm'],
  ...['1q2w3e4r5t6y7u8i9o0p', 'qazwsxedcrfvtgbyhnujmikolp', '!@#$%^&*()_+'],
].flatMap((row) => [row, [...row].reverse().join('')])

/** Signs and digits used in place of letters. */
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** What has to remain of a password that is more than a common one with decoration, in letters. */
const ENOUGH = 6

/**
 * Whether a password is a common one: known words, walks over the keyboard and repetitions, whatever
 * digits and signs are put between them.
 */
export function isCommon(password: string): boolean {
  // Accents are decoration as well.
  const plain = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const bare = [...plain].map((char) => DISGUISES[char] ?? char).join('')
  return remains(plain) < ENOUGH || remains(bare) < ENOUGH || period(plain) <= 4
}

/** What is left without walks, words and stuttering: a digit or a sign is half a letter. */
function remains(text: string): number {
  const rest = withoutWalks(text)
    .replace(/([^\p{L}])\1+/gu, '$1')
    .replace(/(.)\1{2,}/gu, '$1')
  const parts = rest.split(/[^\p{L}]/u)
  const letters = parts.reduce((sum, part) => sum + fewest(part), 0)
  return letters + (parts.length - 1) / 2
}

/** Takes out every stretch of four and more characters that lie on a walk. */
function withoutWalks(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const length = Math.max(...WALKS.map((walk) => stretch(text, at, walk)))
    if (length < 4) rest += text[at]
    at += length < 4 ? 1 : length
  }
  return rest
}

function stretch(text: string, from: number, walk: string): number {
  let length = 0
  while (from + length < text.length && walk.includes(text.slice(from, from + length + 1)))
    length += 1
  return length
}

/** Letters that no choice of known words covers; the choice that leaves fewest counts. */
function fewest(part: string): number {
  const left: number[] = [0]
  for (let end = 1; end <= part.length; end++) {
    const uses = commonWords
      .filter((word) => part.endsWith(word, end))
      .map((word) => left[end - word.length] ?? 0)
    left[end] = Math.min((left[end - 1] ?? 0) + 1, ...uses)
  }
  return left[part.length] ?? 0
}

/** Length of the shortest text that, repeated, is the whole. */
function period(text: string): number {
  for (let length = 1; length < text.length; length++)
    if (text.startsWith(text.slice(length)) && text.length >= 2 * length) return length
  return text.length
}
