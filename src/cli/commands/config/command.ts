import { type Command, flag } from '../../command.js'

const key = { form: '<key>', meaning: 'the key', values: ['setting'] } as const

const projectFlag = flag('--project', 'the .swaprc of the current folder instead of yours')

/** Exit statuses of the commands that change nothing. */
const read = '0 ok, 2 usage or a value that cannot be used'

const commands: readonly Command[] = [
  {
    name: 'list',
    summary: 'List every key with its value, origin and what it overrode',
    examples: { 'swap config list --json': 'for a script' },
    exit: read,
    answer: async () => (await import('./config-answers.js')).ConfigAnswer,
    load: async () => (await import('./look.js')).listConfig,
  },
  {
    name: 'get',
    summary: 'Print the effective value of a key',
    examples: { 'swap config get slippage': 'the value alone' },
    arguments: [key],
    exit: read,
    answer: async () => (await import('./config-answers.js')).ConfigValue,
    load: async () => (await import('./look.js')).getConfig,
  },
  {
    name: 'set',
    summary: 'Write a value into your file; comments stay',
    examples: {
      'swap config set network mainnet': 'leave the demo',
      'swap config set slippage 0.3% --project': 'for the folder you are in',
      'swap config set alias.usd usdc': 'a short name of your own',
      'swap config set rpc https://rpc.example.com': 'after a check of its chain id',
    },
    arguments: [key, { form: '<value...>', meaning: 'the value', values: ['setting-value'] }],
    flags: {
      SET: [
        projectFlag,
        flag(
          '--no-check',
          'write without a look at the node, the market for an alias, or the keys for from',
        ),
      ],
    },
    repairsConfig: true,
    exit: '0 ok, 2 usage or a value that cannot be used, 4 the node does not answer, 7 a key file, 13 another program changes the file',
    answer: async () => (await import('./config-answers.js')).ConfigChange,
    load: async () => (await import('./change.js')).setConfig,
  },
  {
    name: 'unset',
    summary: 'Remove a value from your file; the next origin applies again',
    examples: { 'swap config unset network': 'back to the demo' },
    arguments: [key],
    flags: { UNSET: [projectFlag] },
    repairsConfig: true,
    exit: '0 ok, 2 usage, 13 another program changes the file',
    answer: async () => (await import('./config-answers.js')).ConfigChange,
    load: async () => (await import('./change.js')).unsetConfig,
  },
  {
    name: 'path',
    summary: 'Print which files are read',
    examples: { 'swap config path -q': 'the first of them' },
    repairsConfig: true,
    exit: read,
    answer: async () => (await import('./config-answers.js')).ConfigFiles,
    load: async () => (await import('./look.js')).pathConfig,
  },
  {
    name: 'edit',
    summary: 'Open your file in $VISUAL or $EDITOR; only a valid file is kept',
    examples: { 'EDITOR=nano swap config edit': 'in another editor' },
    flags: { EDIT: [projectFlag] },
    repairsConfig: true,
    exit: '0 ok, 2 usage or a value that cannot be used, 8 not confirmed, 13 another program changes the file',
    answer: async () => (await import('./config-answers.js')).ConfigEdited,
    load: async () => (await import('./edit.js')).editConfig,
  },
  {
    name: 'check',
    summary: 'Read the whole configuration and print what it sets',
    examples: { 'swap config check': 'exit 2 where something cannot be used' },
    exit: read,
    answer: async () => (await import('./config-answers.js')).ConfigCheck,
    load: async () => (await import('./look.js')).checkConfig,
  },
]

export const configCommand: Command = {
  name: 'config',
  summary: 'Show and change the configuration, and where each value comes from',
  commands,
  topics: ['environment'],
  exit: '0 ok, 2 usage or a value that cannot be used, 4 the node does not answer, 7 a key file, 8 not confirmed, 13 another program changes the file',
}
