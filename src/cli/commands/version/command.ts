import type { Command } from '../../command.js'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version of the program',
  usage: 'version, commit, Node and platform',
  examples: { 'swap version --json': 'the same as a document' },
  exit: '0 ok',
  answer: async () => (await import('../command-answers.js')).VersionAnswer,
  load: async () => (await import('./run.js')).runVersion,
}
