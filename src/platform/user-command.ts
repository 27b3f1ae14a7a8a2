const WORD = /(?:[^ \t\r\n'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/y
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^ \t\r\n'"\\]+)/g

/**
 * Splits a command that is run without a shell at spaces and tabs. Text in single quotes is literal; double quotes
 * allow `\"` and `\\`; outside of quotes a backslash escapes the next character. Nothing is expanded.
 *
 * @returns `undefined` for an unclosed quote, a backslash at the end, or a line break outside of quotes
 */
export function commandWords(source: string): readonly string[] | undefined {
  const words: string[] = []
  for (let at = 0; ; ) {
    at += /^[ \t]*/.exec(source.slice(at))![0].length
    if (at === source.length) return words
    WORD.lastIndex = at
    const [word] = WORD.exec(source) ?? []
    if (word === undefined) return undefined
    at += word.length
    words.push(
      word.replaceAll(PART, (_, single, double, escaped, plain) =>
        double === undefined ? (single ?? escaped ?? plain) : double.replace(/\\(["\\])/g, '$1'),
      ),
    )
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The environment of a program of the user, without the password. */
export function withoutPassword({ SWAP_PASSWORD: _, ...others }: Environment): Environment {
  return others
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'its file is not executable',
}

/**
 * Why a program could not be started, and what to do: by an error of the system, of which `spawn` throws some and emits
 * others. Throws any other error.
 *
 * @example notStarted('~/sign', error).why // 'there is no such program (ENOENT)'
 */
export function notStarted(program: string, error: unknown) {
  if (!(error instanceof Error && 'syscall' in error)) throw error
  const { code, message } = error as NodeJS.ErrnoException
  const known = startFailures[code ?? '']
  return {
    why: known === undefined ? (code ?? message) : `${known} (${code})`,
    hint: /^~|\$/.test(program)
      ? 'write the whole path: neither ~ nor variables are expanded'
      : `see whether this works: ${program}`,
  }
}
