import type { Command } from '../../command.js'
import { waitFlags } from '../../flags/execution-flags.js'
import { journalCommand } from '../journal/command.js'

/** `swap tx resume`. */
const resumeCommand: Command = {
  name: 'resume',
  summary: 'The same as swap tx resume',
  usage: [['swap resume [id|hash]', 'the same as swap tx resume']],
  arguments: [{ form: '[id]', meaning: 'the id' }],
  groups: [{ title: 'WAITING', flags: waitFlags }],
  isHidden: true,
  load: async () => (await import('../tx/resume.js')).runResume,
}

/** `swap tx show`. */
const showCommand: Command = {
  name: 'show',
  summary: 'The same as swap tx show',
  usage: [['swap journal show <id|hash>', 'the same as swap tx show']],
  arguments: [{ form: '<id>', meaning: 'the id' }],
  groups: [],
  isHidden: true,
  load: async () => (await import('../tx/show.js')).runShow,
}

/** Commands with those of earlier releases, which help and completion do not show. */
export const withFormer = (commands: readonly Command[]): readonly Command[] => [
  ...commands.map((command) =>
    command === journalCommand ? { ...command, commands: [showCommand] } : command,
  ),
  resumeCommand,
]
