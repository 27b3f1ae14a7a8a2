import { nameOfKey } from '../../config/schema.js'
import { askingChecks } from '../../operations/doctor/doctor.js'
import type { CommandName } from '../command.js'
import type { Candidate } from './cache.js'
import { machineChecks } from './check-names.js'

/** What can stand in a place of a command line. */
export type Kind =
  | 'amount'
  | 'token'
  | 'pair'
  | 'quote'
  | 'key'
  | 'network'
  | 'file'
  | 'setting'
  | 'setting-value'
  | 'topic'
  | 'schema'
  | 'fault'
  | 'nothing'
  | readonly Candidate[]

/** What an argument may be, by its place; the last one stands for all that follow. */
export type Places = readonly (readonly Kind[])[]

const words = (...list: readonly (string | Candidate)[]): readonly Candidate[] =>
  list.map((each) => (typeof each === 'string' ? [each, ''] : each))

const shells = words('bash', 'zsh', 'fish', 'powershell')
const swap: Places = [['amount', 'token'], ['token', 'amount'], ['token'], ['nothing']]

/** What the arguments of each command are. A command that is missing takes none. */
export const placesOf: {
  readonly [Name in CommandName | 'help' | 'completion' | 'schema']?: Places
} = {
  tokens: [['token'], ['nothing']],
  route: swap,
  sroute: swap,
  curve: [['token'], ['token'], ['nothing']],
  max: [['token'], ['token'], ['nothing']],
  arbroute: [['amount'], ['token'], ['nothing']],
  simulate: [['quote', 'amount', 'token'], ['token', 'amount'], ['token'], ['nothing']],
  execute: [['quote', 'file', 'amount', 'token'], ['token', 'amount'], ['token'], ['nothing']],
  tx: [[words('sign', 'broadcast', 'wait', 'status')], ['nothing']],
  journal: [[words(['show', 'one of them, leg by leg'])], ['nothing']],
  keys: [
    [
      words(
        ['new', 'a new mnemonic and its key file'],
        ['import', 'a key of another program'],
        ['list', 'names and addresses'],
        ['show', 'one of them'],
        ['check', 'whether the password opens it'],
        ['export', 'for a copy'],
        ['rename', 'gives it another name'],
        ['reencrypt', 'another password'],
        ['delete', 'removes the key file'],
      ),
    ],
    ['key'],
    ['nothing'],
  ],
  book: [['pair', 'token'], ['token'], ['nothing']],
  balances: [['key'], ['nothing']],
  snapshot: [
    [words(['show', 'what one holds'], ['save', 'writes the market'])],
    ['file'],
    ['nothing'],
  ],
  doctor: [[words('program', 'config', 'terminal', ...machineChecks, ...askingChecks)]],
  config: [
    [
      words(
        ['list', 'every key with its value and origin'],
        ['get', 'the value that holds'],
        ['set', 'writes a value'],
        ['unset', 'removes a value'],
        ['path', 'which files are read'],
        ['edit', 'opens it in your editor'],
        ['check', 'reads all of it'],
      ),
    ],
    ['setting'],
    ['setting-value'],
  ],
  completion: [
    [[...shells, ...words(['install', 'for your shell'], ['uninstall', 'undoes it'])]],
    ['nothing'],
  ],
  help: [['topic'], ['nothing']],
  schema: [['schema'], ['nothing']],
  demo: [
    [
      words(
        ['start', 'runs the chain as a process'],
        ['status', 'where it answers'],
        ['stop', 'ends the process'],
        ['reset', 'removes the chain'],
        ['faucet', 'pays play money'],
        ['fail', 'switches a fault on'],
        ['logs', 'what happened'],
        ['tour', 'the first five minutes'],
      ),
    ],
    ['nothing'],
  ],
}

/** After these words of `demo` other things follow than after the rest. */
export const placesAfter: ReadonlyMap<string, Places> = new Map([
  ['demo fail', [['fault'], ['nothing']]],
  ['demo faucet', [['key'], ['token']]],
  ['tx sign', [['file'], ['nothing']]],
  ['tx broadcast', [['file'], ['nothing']]],
  ['keys new', [['nothing']]],
  ['keys list', [['nothing']]],
  ['keys import', [['nothing'], ['file'], ['nothing']]],
  ['config list', [['nothing']]],
  ['config path', [['nothing']]],
  ['config edit', [['nothing']]],
  ['config check', [['nothing']]],
  ['config get', [['setting'], ['nothing']]],
  ['config unset', [['setting'], ['nothing']]],
])

const choices: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['--network', 'network'],
  ['-n', 'network'],
  ['--output', words('human', 'json', 'ndjson', 'csv')],
  ['-o', words('human', 'json', 'ndjson', 'csv')],
  ['--color', words('auto', 'always', 'never')],
  ['--router-dialect', words('auto', 'forward', 'stack')],
  ['--dialect', words('forward', 'stack')],
  ['--shell', shells],
  ['--type', words('swap', 'arbitrage')],
  ['--period', words('1d', '7d', '30d')],
  ['--mode', words('batch', 'legs')],
  ['--wait', words('included', 'accepted', 'none')],
  ['--log', words('text', 'json')],
  ['--snapshot', 'file'],
  ['--config', 'file'],
  ['--bundle', 'file'],
  ['--out', 'file'],
  ['--password-file', 'file'],
  ['--mnemonic-file', 'file'],
  ['--from', 'key'],
  ['--via', 'token'],
  ['--exclude', 'token'],
])

/** What the value of a flag may be. */
export const valueOfFlag = (flag: string): Kind => choices.get(flag) ?? 'nothing'

/** What a setting may be set to. */
export function valuesOfSetting(key: string): Kind {
  const name = nameOfKey.get(key)
  if (key.startsWith('alias.')) return 'token'
  if (name === undefined) return 'nothing'
  if (name === 'ascii') return words('yes', 'no')
  return valueOfFlag(`--${key.replaceAll(/[_.]/g, '-')}`)
}
