import { printable } from '../../../platform/printable.js'
import { type CsvColumn, foreignColumns, memberColumns, tabRows } from '../../../render/csv.js'
import {
  fields,
  formatTime,
  hangingEntry,
  row,
  sentence,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { pipeLines } from '../../print-answer.js'
import type { DemoFault, DemoFaultKind, DemoStatus } from './demo-answers.js'

/** A chain's status: for people, or a field a line in a pipe. */
export const renderStatus = (status: DemoStatus, style: Style): string =>
  style.tty
    ? forPeople(status, style)
    : pipeLines({ ...status, faults: status.faults.map(({ kind }) => kind).join(',') })

function forPeople(status: DemoStatus, style: Style): string {
  const on = renderFaults(status.faults, style)
  const faults = on.length > 0 ? ['Faults that are on:', ...on] : []
  const state = status.running ? 'running' : 'not running'
  return titledSections(
    `Demo chain ${glyphsOf(style).dot} ${state}`,
    { network: 'demo', height: status.height },
    style,
    [factLines(status, style), faults],
  )
}

function factLines(status: DemoStatus, style: Style): readonly string[] {
  const { running, pid, rpc, rest, faucet } = status
  return fields(style, [
    ['Chain', [status.chain_id, `seed ${status.seed}`]],
    ['Process', [running ? `${pid}` : 'none; commands use the chain themselves']],
    running && ['RPC', [`${rpc}`]],
    running && ['REST', [`${rest}`]],
    ['Blocks', [`every ${status.block_time_ms / 1000} s`, formatTime(status.time)]],
    ['Router', [status.router, status.dialect]],
    ['Faucet', [faucet.address]],
    ['', [faucet.mnemonic]],
  ])
}

const calls: readonly (readonly [call: string, meaning: string])[] = [
  ['swap demo tour', 'the first five minutes, step by step'],
  ['swap demo start', 'run it as a process, for other programs too'],
  ['swap demo faucet <address>', 'play money'],
  ['swap demo fail', 'ways to make it fail, to try what you have written'],
  ['swap demo logs', 'what has happened'],
  ['swap demo stop, reset', 'end the process; start a new chain'],
]

/** The overview that `swap demo` alone shows on a terminal. */
export const renderDemo = (status: DemoStatus, style: Style): string =>
  [
    sentence(
      'A small chain inside the program: real transactions and contracts, play money, no network.',
      style,
    ),
    '',
    renderStatus(status, style),
    '',
    'Commands:',
    ...calls.flatMap(([call, meaning]) => row(`  ${call}`, meaning, style.width, 30)),
    '',
    'Help: swap help demo',
  ].join('\n')

/** Active faults, one a line. */
export const renderFaults = (faults: readonly DemoFault[], style: Style): readonly string[] => {
  const rows = faults.map(({ kind, n, once, until, method, pair }) =>
    [
      n > 0 ? `${kind} ${n}` : kind,
      durationText(once, until),
      ...(method === null ? [] : [`method ${method}`]),
      ...(pair === null ? [] : [`pair ${pair}`]),
    ].map(printable),
  )
  return style.tty
    ? rows.map(([kind = '', ...facts]) => `  ${style.warning(kind)}  ${facts.join(', ')}`)
    : rows.map((row) => row.join('\t'))
}

/** How long a fault stays on. */
function durationText(once: boolean, until: string | null): string {
  if (once) return 'for the next call'
  return until === null ? 'until switched off' : `until ${until}`
}

const groups: readonly (readonly [group: string, title: string])[] = [
  ['connection', 'The connection'],
  ['answer', 'What answers instead'],
  ['batch', 'Ids and batches'],
  ['chain', 'Height and sync status'],
  ['market', 'What contracts answer'],
  ['socket', 'Web sockets'],
  ['execution', 'Transactions'],
]

/** Options are not split where a line is wrapped. */
const CALL = [
  'swap demo fail <kind> [number]',
  ...['[--for 30s]', '[--once]', '[--method name]', '[--pair address]'].map(withoutBreaks),
].join(' ')

/** Columns of a kind of fault; beside it what the fault does, with its number. */
const KIND = 21

/** The available faults by group, or tab-separated rows in a pipe. */
export function renderFaultKinds(kinds: readonly DemoFaultKind[], style: Style): string {
  if (!style.tty) return tabRows(kinds, faultKindColumns)
  const { arrow } = glyphsOf(style)
  const lines = (each: DemoFaultKind) => {
    const number = each.number ? ` (${numberText(each)})` : ''
    return [
      ...row(`  ${style.warning(each.kind)}`, `${each.does}${number}`, style.width, KIND),
      ...row('', `${arrow} ${each.sees}`, style.width, KIND).filter((line) => line !== ''),
    ]
  }
  return [
    ...hangingEntry(CALL, style, 0),
    ...hangingEntry(`Below, ${arrow} is what a good client makes of it.`, style, 0),
    ...groups.flatMap(([group, title]) => {
      const ofGroup = kinds.filter((each) => each.group === group)
      return ['', style.bold(title), ...ofGroup.flatMap(lines)]
    }),
    '',
    'swap demo fail off [kind] ends them.',
  ].join('\n')
}

/** The columns of an active fault in CSV. */
export const faultColumns: readonly CsvColumn<DemoFault>[] = [
  ...memberColumns('kind', 'n', 'once', 'until'),
  ...foreignColumns('method', 'pair'),
]

/** The columns of a kind of fault in a pipe and in CSV. */
export const faultKindColumns: readonly CsvColumn<DemoFaultKind>[] = [
  ...memberColumns('kind', 'group'),
  ['number', (each) => numberText(each)],
  ...memberColumns('does', 'sees'),
]

/** What the number counts, and its default. @example 'blocks: 5' */
const numberText = ({ number }: DemoFaultKind): string =>
  number ? `${number.meaning}: ${number.fallback}` : ''
