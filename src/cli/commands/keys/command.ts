import { type Command, choices, type FlagGroups, flag } from '../../command.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'

const answers = () => import('./key-answer.js')
const keyName = { form: '<name>', meaning: 'the name of the key', values: ['key'] } as const
const newName = { form: '<name>', meaning: 'the name of the key' } as const

const password: FlagGroups = { PASSWORD: executionGroups.password }

/** The same, and the password for written files. */
const passwords: FlagGroups = {
  ...password,
  'NEW PASSWORD': [
    flag('--new-password-file <file>', 'password of the written file (default: the same one)'),
    flag('--new-password-fd <n>', 'the same from an open descriptor'),
  ],
}

/** Options of derivation. */
const derivation = [
  flag('--hd-path <path>', "where the account is, e.g. m/44'/931'/0'/0/0 (default: the network's)"),
  flag('--coin-type <n>', 'the same by its coin type: 931, 118, 60'),
]

const formats = choices('swap', 'cosmjs', 'armor', 'xchain', 'keystore', 'mnemonic', 'hex')

const confirmName = flag('--confirm <name>', 'the name of the key, instead of typing it', {
  value: 'key',
})

const commands: readonly Command[] = [
  {
    name: 'new',
    summary: 'Create a mnemonic, which is shown once, and its key file',
    examples: {
      'swap keys new main': 'asks for a password, shows 24 words',
      'swap keys new bot --password-file pw --mnemonic-file words': 'without a terminal',
    },
    arguments: [newName],
    flags: {
      MNEMONIC: [
        flag('--words <n>', '24 (default) or 12', { value: choices('24', '12') }),
        flag('--mnemonic-file <file>', 'write the words to this new file instead of showing them'),
        ...derivation,
      ],
      ...passwords,
    },
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./new.js')).runNew,
  },
  {
    name: 'import',
    summary: 'Import a key of another program, a mnemonic or a copy',
    usage: {
      'swap keys import <name> [file|-]':
        'a key of another program, a mnemonic or an exported copy',
    },
    examples: { 'swap keys import old wallet.json': 'the format is detected' },
    arguments: [newName, { form: '[file]', meaning: 'the file', values: ['file'] }],
    flags: {
      IMPORT: [
        flag('--format <name>', 'auto, swap, cosmjs, armor, xchain, keystore, mnemonic or hex', {
          value: [...choices('auto'), ...formats],
        }),
        ...derivation,
        flag('--yes', 'store what was found without asking'),
      ],
      ...passwords,
    },
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./exchange/import.js')).runImport,
  },
  {
    name: 'add-external',
    summary: 'Store the account of an external signer and the command that starts it',
    examples: {
      'swap keys add-external ledger --signer "exec:node /opt/ledger-signer.mjs" --amino --address thor1...':
        'then sign with --from ledger',
    },
    arguments: [newName],
    flags: {
      SIGNER: [
        {
          ...executionFlags.externalSigner,
          meaning: 'the program that signs, e.g. "exec:my-signer --account 0"',
        },
        flag('--public-key <key>', 'its compressed key, hexadecimal or base64'),
        flag('--address <address>', 'its address, where the key is not known'),
        flag('--amino', 'it signs Amino JSON, as most hardware wallets do'),
      ],
    },
    exit: '0 ok, 2 usage, 7 the signer, 13 another process changes the key, 130 ctrl-c',
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./add-external.js')).runAddExternal,
  },
  {
    name: 'list',
    summary: 'List names, addresses and key files; no password is needed',
    examples: { 'swap keys list --json': 'for a script' },
    exit: '0 ok, 2 usage, 7 a key file cannot be read',
    answer: async () => (await answers()).KeysAnswer,
    load: async () => (await import('./stored-keys.js')).runList,
  },
  {
    name: 'show',
    summary: 'Show one key: its address and public key',
    examples: { 'swap keys show main -q': 'its address' },
    arguments: [keyName],
    flags: {
      SHOW: [
        flag('--pubkey', 'print the public key alone'),
        flag('--qr', 'print the address, and as a code for a camera'),
      ],
    },
    exit: '0 ok, 2 usage, 7 no such key, or its file',
    answer: async () => (await answers()).KeyAnswer,
    load: async () => (await import('./stored-keys.js')).runShow,
  },
  {
    name: 'check',
    summary: 'Check whether the password still opens a key',
    examples: {
      'pass show swap | swap keys check main --password-file -': 'the password from a store',
    },
    arguments: [keyName],
    flags: password,
    exit: '0 the password opens it, 2 usage, 7 key file or password, 130 ctrl-c',
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./stored-keys.js')).runCheck,
  },
  {
    name: 'use',
    summary: 'Make a key the default signer: from in ~/.swaprc',
    examples: { 'swap keys use main': 'then swap execute needs no --from' },
    arguments: [keyName],
    flags: { USE: [flag('--project', 'the .swaprc of the current folder instead of yours')] },
    exit: '0 ok, 2 usage, 7 no such key, or its file, 13 another program changes the configuration',
    answer: async () => (await import('../config/config-answers.js')).ConfigChange,
    load: async () => (await import('./stored-keys.js')).runUse,
  },
  {
    name: 'export',
    summary: 'Export a key as a copy, or for another program',
    examples: { 'swap keys export main --format armor --out main.asc': 'for a Cosmos SDK program' },
    arguments: [keyName],
    flags: {
      EXPORT: [
        flag('--format <name>', 'swap, cosmjs, armor, xchain, keystore, mnemonic or hex', {
          value: formats,
        }),
        flag('--out <file>', 'write to this new file (0600)'),
        flag('--show', 'show it on the terminal, on a screen that leaves no trace'),
        flag('--unsafe', 'needed for words and hex in a file or a pipe'),
        confirmName,
      ],
      ...passwords,
    },
    answer: async () => (await answers()).KeyExported,
    load: async () => (await import('./exchange/export.js')).runExport,
  },
  {
    name: 'rename',
    summary: 'Give a key another name',
    examples: { 'swap keys rename main cold': 'the key file is renamed as well' },
    arguments: [keyName, { form: '<new>', meaning: 'the new name' }],
    exit: '0 ok, 2 usage, 7 no such key, or its file, 13 another process changes the key',
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./stored-keys.js')).runRename,
  },
  {
    name: 'reencrypt',
    summary: 'Encrypt a key file with another password, or at a higher cost',
    examples: { 'swap keys reencrypt main --scrypt-cost 18': 'twice the work to guess it' },
    arguments: [keyName],
    flags: {
      REENCRYPT: [
        flag(
          '--scrypt-cost <n>',
          'work to try one password, as a power of two: 17 (default) to 20',
        ),
      ],
      ...passwords,
    },
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./stored-keys.js')).runReencrypt,
  },
  {
    name: 'delete',
    summary: 'Remove a key file',
    examples: { 'swap keys delete old --confirm old': 'without a confirmation' },
    arguments: [keyName],
    flags: { DELETE: [confirmName, flag('--no-input', 'never ask')] },
    answer: async () => (await answers()).KeyChange,
    load: async () => (await import('./stored-keys.js')).runDelete,
  },
]

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Create, import, list, export and check the keys that sign',
  commands,
  isPrivate: true,
  exit: '0 ok, 2 usage, 7 key file or password, 8 not confirmed, 13 another process changes the key, 130 ctrl-c',
}
