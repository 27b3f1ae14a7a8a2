import { envOf, flagOf, keyOf } from '../../../config/naming.js'
import { isYoursAlone, settingNames, settings } from '../../../config/schema.js'
import type { Topic } from './topic.js'

export const environmentTopic: Topic = {
  name: 'environment',
  summary: 'Settings: flag, variable, key of .swaprc and default of each',
  parts: [
    "Flags go before SWAP_ variables, those before ./.swaprc, that before ~/.swaprc, that before what is built in. swap config list shows what holds and where it comes from. A project's file may not say what is marked with a star: that is ignored with a note.",
    settingNames.map((name) => {
      const { fallback, meaning } = settings[name]
      const isYours = isYoursAlone(name) ? ' *' : ''
      const held = fallback === null ? '' : ` (default ${fallback})`
      return [
        `${envOf(name)}${isYours}`,
        `${flagOf(name)}, ${keyOf(name)}: ${meaning}${held}`,
      ] as const
    }),
    [
      ['SWAP_CONFIG', '--config: one file in place of both'],
      ['SWAP_HOME', 'one folder for state, keys and caches'],
      ['SWAP_TRACE', 'with the stack trace of a bug'],
      ['PAGER', 'shows long output on a terminal (default less); cat or nothing: none'],
      ['NO_COLOR, FORCE_COLOR', 'as everywhere'],
    ],
    'Booleans are 1, true, yes, 0, false or no. There is no variable that says yes for you.',
  ],
}
