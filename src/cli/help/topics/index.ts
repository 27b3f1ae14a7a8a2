import { commonFlags } from '../../common-flags.js'
import { environmentTopic } from './environment.js'
import { exitTopic } from './exit.js'
import { firstStepsTopic } from './first-steps.js'
import type { Topic } from './topic.js'
import { amountsTopic, scriptsTopic, splittingTopic, watchingTopic } from './writing.js'

const flagsTopic: Topic = {
  name: 'flags',
  summary: 'Flags that every command takes',
  parts: [
    'Before or after the name of the command:',
    commonFlags.map(({ flags, meaning }) => [flags, meaning] as const),
  ],
}

/** Every topic, in the order in which one reads them. `commands` are the names of those there are. */
export const topicsOf = (commands: readonly string[]): readonly Topic[] => [
  firstStepsTopic(commands),
  amountsTopic,
  splittingTopic,
  watchingTopic,
  scriptsTopic,
  flagsTopic,
  environmentTopic,
  exitTopic,
]

/** What the topics are called. */
export const topicNames: readonly string[] = topicsOf([]).map(({ name }) => name)
