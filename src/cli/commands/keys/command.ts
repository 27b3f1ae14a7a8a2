import type { Command } from '../../command.js'
import { passwordFlags } from '../../flags/password-flags.js'

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Make, import, list, export and check the keys that sign',
  usage: [
    ['swap keys new <name>', 'a new mnemonic, shown once, and its key file'],
    ['swap keys import <name> [file|-]', 'a key of another program, a mnemonic or a copy of ours'],
    ['swap keys list', 'names, addresses and key files; needs no password'],
    ['swap keys show <name>', 'one of them'],
    ['swap keys check <name>', 'whether the password still opens it'],
    ['swap keys use <name>', 'signs with it from now on: from in ~/.swaprc'],
    ['swap keys export <name>', 'for a copy, or for another program'],
    ['swap keys rename <name> <new>', 'gives it another name'],
    ['swap keys reencrypt <name>', 'another password, or a higher cost'],
    ['swap keys delete <name>', 'removes the key file'],
  ],
  examples: [
    ['swap keys new main', 'asks for a password, shows 24 words'],
    ['swap keys import old wallet.json', 'finds out which format it is'],
    ['swap keys new bot --password-file pw --mnemonic-file words', 'without a terminal'],
    ['swap keys show main -q', 'its address'],
    ['swap keys export main --format armor --out main.asc', 'for a Cosmos SDK program'],
    ['pass show swap | swap keys check main --password-file -', 'the password from a store'],
  ],
  groups: [
    { title: 'PASSWORD', flags: passwordFlags },
    {
      title: 'NEW PASSWORD',
      flags: [
        {
          flags: '--new-password-file <file>',
          meaning: 'of what import, export and reencrypt write (default: the same one)',
        },
        { flags: '--new-password-fd <n>', meaning: 'the same from an open descriptor' },
      ],
    },
    {
      title: 'NEW AND IMPORT',
      flags: [
        { flags: '--words <n>', meaning: '24 (default) or 12' },
        {
          flags: '--mnemonic-file <file>',
          meaning: 'write the words to this new file instead of showing them',
        },
        {
          flags: '--format <name>',
          meaning: 'auto, swap, cosmjs, armor, xchain, keystore, mnemonic or hex',
        },
        {
          flags: '--hd-path <path>',
          meaning: "where the account is, e.g. m/44'/931'/0'/0/0 (default: the network's)",
        },
        {
          flags: '--coin-type <n>',
          meaning:
            'the same by its coin: 931, 118, 60 (default: import asks the chain which is used)',
        },
        { flags: '--yes', meaning: 'store what was found without asking' },
      ],
    },
    {
      title: 'SHOW AND EXPORT',
      flags: [
        { flags: '--pubkey', meaning: 'the public key alone' },
        { flags: '--qr', meaning: 'the address, and as a code for a camera' },
        { flags: '--out <file>', meaning: 'write to this new file (0600)' },
        { flags: '--show', meaning: 'on the terminal, on a screen that leaves no trace' },
        { flags: '--unsafe', meaning: 'needed for words and hex in a file or a pipe' },
      ],
    },
    {
      title: 'DELETE AND REENCRYPT',
      flags: [
        { flags: '--confirm <name>', meaning: 'the name again, instead of typing it' },
        {
          flags: '--scrypt-cost <n>',
          meaning: 'of a key file, as a power of two: 17 (default) to 20',
        },
      ],
    },
  ],
  exit: '0 ok, 2 usage, 7 key file or password, 8 you said no, 130 ctrl-c',
}
