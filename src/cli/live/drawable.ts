/** Variables that say that nobody sits before the terminal. Ink draws nothing before the end there. */
const CI = ['CI', 'CONTINUOUS_INTEGRATION'] as const

/**
 * Why nothing can be drawn in place: lines that follow one another are the way then. `undefined`
 * where it can.
 */
export function whyUndrawable(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!isTerminal) return 'standard output is no terminal'
  if (env['TERM'] === 'dumb') return 'TERM is dumb: the cursor stays where it is'
  const ci = CI.find((name) => env[name] !== undefined && !/^(0|false)$/.test(env[name]))
  return ci && `${ci} is set: nobody is taken to look on`
}
