/** Whether no shell changes or runs a part of a word. Creators of tokens choose symbols: one may be `usd$(command)`. */
export const isPlainWord = (word: string): boolean => /^[\w.:/+-][\w.:/+%=@,#-]*$/.test(word)

/** A word of a command that is shown to be pasted, quoted for a shell if it is neither plain nor a placeholder. */
export const shellWord = (word: string): string =>
  isPlainWord(word) || /^<[a-z]+>$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
