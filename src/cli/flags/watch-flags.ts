import type { Command } from '../command.js'
import { wholeFlag } from './checked-flag.js'

export const countFlag = wholeFlag(
  '--count <n>',
  'with --watch: end after so many results',
  [1, 999_999_999],
  { isRare: true },
)

/** The flags of a command that can be watched. `until` are examples of its conditions. */
export const watching = (until: string): Command['groups'][number] => ({
  title: 'WATCHING',
  flags: [
    {
      flags: '--watch',
      meaning: 'again at every block until ctrl-c; --watch=10s at most every ten seconds',
    },
    {
      flags: '--on-change <bps>',
      meaning: 'with --watch: only what moved so much, e.g. 5 or 0.1%',
      isRare: true,
    },
    countFlag,
    { flags: '--until <condition>', meaning: `with --watch: end once it holds: ${until}` },
    {
      flags: '--exec <command>',
      meaning:
        'with --watch: run it for each result, with --until for the last one; it reads the event',
      isRare: true,
    },
    {
      flags: '--fullscreen',
      meaning: 'with --watch: on a screen of its own, as tall as it is',
      isRare: true,
    },
  ],
})

/**
 * `--watch=10s` as the two flags that it means: a flag with an optional value would take
 * the amount that follows for one.
 */
export const spellWatch = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--')
  return argv.flatMap((word, i) =>
    word.startsWith('--watch=') && (end < 0 || i < end)
      ? ['--watch', `--every=${word.slice('--watch='.length)}`]
      : [word],
  )
}
