import type { DemoStatus } from '../../../operations/demo-answer.js'
import { field, joinSections, titleLines } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { pipeLines } from '../../pipe-lines.js'
import { renderFaults } from './render-faults.js'

/** A chain's status: for people, or a field a line in a pipe. */
export const renderStatus = (status: DemoStatus, style: Style): string =>
  style.tty ? forPeople(status, style) : forPipes(status)

function forPeople(status: DemoStatus, style: Style): string {
  const left = status.running ? 'Demo chain · running' : 'Demo chain · not running'
  return [
    ...titleLines(left, { network: 'demo', height: status.height }, style),
    joinSections([factLines(status, style), faultLines(status, style)], style),
  ].join('\n')
}

function factLines(status: DemoStatus, style: Style): readonly string[] {
  const { running, pid, rpc, rest, faucet } = status
  const process = running
    ? [
        ...field('Process', [`${pid}`], style),
        ...field('RPC', [`${rpc}`], style),
        ...field('REST', [`${rest}`], style),
      ]
    : field('Process', ['none; commands use the chain themselves'], style)
  return [
    ...field('Chain', [status.chain_id, `seed ${status.seed}`], style),
    ...process,
    ...field('Blocks', [`every ${secondsOf(status.block_time_ms)} s`, status.time], style),
    ...field('Router', [status.router, status.dialect], style),
    ...field('Faucet', [faucet.address], style),
    ...field('', [faucet.mnemonic], style),
  ]
}

const faultLines = ({ faults }: DemoStatus, style: Style): readonly string[] =>
  faults.length === 0 ? [] : ['Faults that are on:', ...renderFaults(faults, style)]

const secondsOf = (ms: number): string => String(ms / 1000)

const forPipes = (status: DemoStatus): string =>
  pipeLines({ ...status, faults: status.faults.map(({ kind }) => kind).join(',') })

/** What `swap demo` alone shows on a terminal. */
export const renderDemo = (status: DemoStatus, style: Style): string =>
  [
    'A small chain inside the program: real transactions and contracts, play money, no network.',
    '',
    renderStatus(status, style),
    '',
    'Commands:',
    '  swap demo tour              the first five minutes, step by step',
    '  swap demo start             run it as a process, for other programs too',
    '  swap demo faucet <address>  play money',
    '  swap demo fail              ways to make it fail, to try what you have written',
    '  swap demo logs              what has happened',
    '  swap demo stop, reset       end the process; begin anew',
    '',
    'Help: swap help demo',
  ].join('\n')
