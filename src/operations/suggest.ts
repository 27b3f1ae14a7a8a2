/** Most suggestions in a message. */
const most = 3

/**
 * At most three suggestions: words that begin with the typed text, then those within two typing errors (a letter
 * missing, too many, wrong, or two swapped), nearest first. Ignores case.
 */
export function suggest(typed: string, words: Iterable<string>): string[] {
  const foldedText = foldCase(typed)
  if (foldedText === '') return []
  return [...new Set(words)]
    .map((word) => ({ word, rank: rankOf(foldedText, foldCase(word)) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map(({ word }) => word)
}

/** `did you mean rune, ruji?`; `undefined` if no word is similar. */
export function didYouMean(typed: string, words: Iterable<string>): string | undefined {
  const matches = suggest(typed, words)
  return matches.length === 0 ? undefined : `did you mean ${matches.join(', ')}?`
}

/** `did you mean --rest?`: the flags whose names are similar to a typed one. */
export function didYouMeanFlag(typed: string, flags: readonly string[]): string | undefined {
  const bareName = (flag: string) => flag.replace(/^-+/, '')
  const matches = similarNames(bareName(typed), flags.map(bareName))
  return matches.length === 0 ? undefined : `did you mean --${matches.join(', --')}?`
}

/**
 * At most three names of flags or members: those that begin with the typed text, or differ from it in less than half of
 * their letters; if there are none, those with the typed text as one of their words, as `max-hops` for `hops`.
 */
export function similarNames(typed: string, names: readonly string[]): string[] {
  const foldedName = foldCase(typed)
  const similar = suggest(foldedName, names).filter(
    (name) =>
      name.startsWith(foldedName) ||
      editDistance(foldedName, name) * 2 < Math.min(foldedName.length, name.length),
  )
  if (similar.length > 0) return similar
  return [...new Set(names)]
    .filter((name) => name.split(/[-_]/).includes(foldedName))
    .slice(0, most)
}

/**
 * Lower case for A to Z and nothing else: `toLowerCase` also turns the Kelvin sign into a k, and a
 * look-alike must not pass for the real name.
 */
export const foldCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Number of typing errors between two words, as optimal string alignment counts them. */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        swapped ? before[column - 2]! + 1 : Infinity,
      )
    }
    before = above
    above = current
  }
  return above[to.length]!
}

/** 0 for a prefix, otherwise the distance; `undefined` if the words differ too much. */
function rankOf(foldedText: string, word: string): number | undefined {
  if (word.startsWith(foldedText)) return 0
  // Keeps a long pasted text away from the quadratic distance.
  if (Math.abs(word.length - foldedText.length) > 2) return undefined
  const distance = editDistance(foldedText, word)
  return distance <= 2 && distance < Math.min(foldedText.length, word.length) ? distance : undefined
}
