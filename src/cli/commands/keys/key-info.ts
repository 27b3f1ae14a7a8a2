import { type Config, shownPath } from '../../../config/load.js'
import { demoChainId } from '../../../config/network.js'
import { addressOf } from '../../../wallet/address.js'
import { DEMO } from '../../../wallet/demo-key.js'
import { COST } from '../../../wallet/keyfile/limits.js'
import type { StoredKey } from '../../../wallet/store/keys.js'
import type { Context } from '../../command.js'
import { pipeLines } from '../../pipe-lines.js'
import { printAnswer } from '../../print-answer.js'
import type { KeyAnswer } from './key-answer.js'
import { renderDone, renderKey } from './render-keys.js'

/** Whether the selected network is the one that the built-in key belongs to. */
export const isBuiltInHere = ({ network }: Config): boolean => network.chainId === demoChainId

/** The document of a stored key: the unencrypted members of its file, and its path. */
export function keyInfoOf({ config }: Context, { name, path, document }: StoredKey): KeyAnswer {
  const sealed = 'signer' in document ? undefined : document
  const { n, r, p } = sealed?.kdf ?? COST
  return {
    name,
    address: document.address,
    pubkey: document.pubkey,
    path: sealed?.hd_path ?? null,
    format: document.format,
    kdf: sealed === undefined ? null : { name: sealed.kdf.name, n, r, p },
    weak: n * r * p < COST.n * COST.r * COST.p,
    created_at: document.created_at,
    default: name === config.values.from,
    limits: limitsOf(config),
    backup: sealed?.backup ?? null,
    file: path,
    ...('signer' in document && { signer: document.signer, sign_mode: document.sign_mode }),
  }
}

/** The document of the key that the demo network comes with. */
export const builtInKeyInfo = ({ config }: Context): KeyAnswer => ({
  name: DEMO.name,
  address: addressOf(Buffer.from(DEMO.publicKey, 'hex'), config.network.prefix),
  pubkey: DEMO.publicKey,
  path: DEMO.path,
  format: 'built-in',
  kdf: null,
  weak: false,
  created_at: null,
  default: DEMO.name === config.values.from,
  limits: limitsOf(config),
  backup: null,
  file: null,
})

const limitsOf = ({ values }: Context['config']): KeyAnswer['limits'] => ({
  per_tx_usd: dollarsOf(values.limitsPerTxUsd),
  per_day_usd: dollarsOf(values.limitsPerDayUsd),
})

/** Millionths of a dollar as they were written: `99.5`. */
const dollarsOf = (millionths: bigint | undefined): string | null =>
  millionths === undefined
    ? null
    : `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`
        .replace(/0+$/, '')
        .replace(/\.$/, '')

/** A path as it is shown: below the home folder with `~`. */
export const shown = ({ surroundings }: Context, path: string | null): string =>
  shownPath(path ?? '', surroundings.home)

/** Prints one key: its document, the one value of `--quiet`, or text. */
export async function printKey(context: Context, key: KeyAnswer, quiet: string): Promise<void> {
  const { style } = context.out
  return printAnswer(context, key, {
    quiet: () => quiet,
    human: () => (style.tty ? renderKey(key, shown(context, key.file), style) : pipeLines(key)),
  })
}

/** What one does with a new account: has play money paid to it, or looks what it holds. */
export const nextFor = (config: Context['config'], name: string): string =>
  isBuiltInHere(config) ? `swap demo faucet ${name}` : `swap balances ${name}`

/** Prints what was done to a key; with `--quiet` the path of its file. */
export async function printDone(
  context: Context,
  done: string,
  key: KeyAnswer,
  more: {
    readonly next?: string
    readonly members?: Readonly<Record<string, string | boolean>>
  } = {},
): Promise<void> {
  const { next } = more
  const details = { shown: shown(context, key.file), ...(next !== undefined && { next }) }
  return printAnswer(
    context,
    { ...key, ...more.members },
    {
      quiet: () => key.file ?? key.name,
      human: () => renderDone(done, key, details, context.out.style),
    },
  )
}
