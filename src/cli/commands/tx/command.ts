import type { Command } from '../../command.js'
import {
  affiliateFlag,
  limitFlags,
  signerFlags,
  slippageFlags,
  waitFlags,
} from '../execute/command.js'

export const txCommand: Command = {
  name: 'tx',
  summary: 'Sign, send, look up and wait for a transaction',
  usage: [
    ['swap tx sign <file|->', 'sign what --generate-only printed, also without a network'],
    ['swap tx broadcast <file|->', 'send what was signed, and wait'],
    ['swap tx wait <hash>', 'until its fate is certain: yes or no'],
    ['swap tx status <hash>', 'one look'],
  ],
  examples: [
    ['swap execute q_7f3a91c2 --from main --generate-only >tx.json', 'make one'],
    [
      'swap tx sign tx.json --from cold --offline --account-number 48211 --sequence 117 >signed.json',
      'on a machine without a network',
    ],
    ['swap tx broadcast signed.json', 'the same bytes, however often it is called'],
  ],
  groups: [
    { title: 'WHO SIGNS', flags: signerFlags },
    {
      title: 'SIGN',
      flags: [
        { flags: '--offline', meaning: 'ask no node; needs the next two' },
        { flags: '--account-number <n>', meaning: 'of the account that signs' },
        { flags: '--sequence <n>', meaning: 'of its next transaction' },
        { flags: '--yes', meaning: 'ask nobody: the guards and limits of execute hold' },
        { flags: '--confirm <symbol>', meaning: '--yes for this symbol of what is received alone' },
        { flags: '--confirm-to <address>', meaning: 'who is paid, where that is not who signs' },
        ...slippageFlags,
        affiliateFlag,
        ...limitFlags,
      ],
    },
    { title: 'WAITING', flags: waitFlags },
  ],
  exit: '0 done, 2 usage or unknown hash, 4 unreachable, 5 price or another router, 6 funds, 7 key, 8 you said no, 9 unknown: wait, 10 failed, 13 busy, 14 a limit, 130 ctrl-c',
}
