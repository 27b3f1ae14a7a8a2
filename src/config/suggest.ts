/** Most suggestions in a message. */
const most = 3

/**
 * At most three suggestions: words that begin with the typed text, then those within two typing errors (a letter
 * missing, too many, wrong, or two swapped), nearest first. Ignores case.
 */
export function suggest(typed: string, words: Iterable<string>): string[] {
  const wanted = foldCase(typed)
  if (wanted === '') return []
  return [...new Set(words)]
    .map((word) => ({ word, rank: rankOf(wanted, foldCase(word)) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map(({ word }) => word)
}

/** `did you mean rune, ruji?`; `undefined` if no word is similar. */
export function didYouMean(typed: string, words: Iterable<string>): string | undefined {
  const near = suggest(typed, words)
  return near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`
}

/**
 * `did you mean --rest?`: flags that begin with the typed text, or differ from it in less than half of their letters.
 */
export function didYouMeanFlag(typed: string, flags: readonly string[]): string | undefined {
  const bareName = (flag: string) => flag.replace(/^-+/, '')
  const bare = foldCase(bareName(typed))
  const near = suggest(bare, flags.map(bareName)).filter(
    (name) =>
      name.startsWith(bare) || editDistance(bare, name) * 2 < Math.min(bare.length, name.length),
  )
  return near.length === 0 ? undefined : `did you mean --${near.join(', --')}?`
}

/**
 * Lower case for A to Z and nothing else: `toLowerCase` also turns the Kelvin sign into a k, and a
 * look-alike must not pass for the real name.
 */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Number of typing errors between two words, as optimal string alignment counts them. */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (same ? 0 : 1),
        swapped ? before[column - 2]! + 1 : Infinity,
      )
    }
    before = above
    above = current
  }
  return above[to.length]!
}

/** 0 for a prefix, otherwise the distance; `undefined` if the words differ too much. */
function rankOf(wanted: string, word: string): number | undefined {
  if (word.startsWith(wanted)) return 0
  // Keeps a long pasted text away from the quadratic distance.
  if (Math.abs(word.length - wanted.length) > 2) return undefined
  const distance = editDistance(wanted, word)
  return distance <= 2 && distance < Math.min(wanted.length, word.length) ? distance : undefined
}
