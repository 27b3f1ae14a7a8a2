import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { inTerminal, type Screen } from '../../../support/terminal.js'
import { bin, type Network, network } from './stage.js'

export const PASSWORD = 'a long way round the harbour wall'

/** A network with an account whose key `bot` has a password, beside `demo`. */
export async function networkWithBot(): Promise<Network> {
  const net = await network()
  writeFileSync(join(net.home, 'pw'), PASSWORD, { mode: 0o600 })
  const words = ['--mnemonic-file', join(net.home, 'words')]
  const password = ['--password-file', join(net.home, 'pw')]
  const made = await net.run('keys', 'new', 'bot', ...password, ...words, '--json')
  payFromFaucet(net.real, JSON.parse(made.stdout).address, [])
  net.real.makeBlock()
  return net
}

/** `swap execute` in a terminal. */
export const openIn = (net: Network, ...args: readonly string[]): Screen =>
  inTerminal([process.execPath, bin, 'execute', ...args], { columns: 90, rows: 50, env: net.env })

/** What was signed so far. */
export const journalOf = async (net: Network): Promise<readonly { readonly id: string }[]> =>
  JSON.parse((await net.run('journal', '--json')).stdout).intents

export const asks = (rows: readonly string[]) => rows.some((row) => /^ {2}>/.test(row))
export const has = (text: string) => (rows: readonly string[]) =>
  rows.some((row) => row.includes(text))
