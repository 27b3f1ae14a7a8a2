import { groupThousands } from '../../engine/math/counted.js'
import { formatUnits } from '../../engine/math/units.js'
import { dollars } from '../../execution/plan/limits.js'
import type { SignedContent } from '../../execution/plan/signing-view.js'
import { contentDocument } from '../../execution/request-signature.js'
import { printable } from '../../platform/printable.js'
import { type FieldRow, headLines, inParts, networkName } from '../../render/layout.js'
import type { Names, Naming } from '../../render/names.js'
import type { Style } from '../../render/style.js'
import { wrap } from '../../render/width.js'

/** Spending limits without a confirmation, in millionths of a dollar. */
export type Allowance = {
  readonly perTx: bigint | undefined
  readonly perDay: bigint | undefined
  /** The rest of the daily limit over the last 24 hours, at least 0; `undefined` if unknown. */
  readonly leftToday: bigint | undefined
}

export type ConfirmContext = Naming & {
  /** Names of keys and address book entries by address; shown beside the address, never instead of it. */
  readonly accounts: ReadonlyMap<string, string>
  /** Where the router's address comes from: `of the built-in list`. */
  readonly routerOrigin: string
  /** Block time in milliseconds, estimated. */
  readonly blockMs: number
  /** `undefined` if no limit is configured. */
  readonly allowance: Allowance | undefined
}

export function signerRows(
  { decoded, keyName }: SignedContent,
  { accounts }: ConfirmContext,
  names: Names,
): readonly FieldRow[] {
  const named = keyName ?? accounts.get(decoded.sender)
  const key = named !== undefined && names.text(named)
  return [
    ['From', [key, ...inParts(names.text(decoded.sender), names.style)], '  '],
    ['', [`account ${decoded.accountNumber}`, `sequence ${decoded.sequence}`]],
  ]
}

/** An amount in full, and its atomics. */
export const coinPieces = (sum: Sum, names: Names): readonly string[] => [
  fullCoin(sum, names),
  names.style.muted(`${sum.amount} ${names.short(sum.denom, 24)}`),
]

/** Fee, last block, limits, memo and fingerprint of the transaction. */
export function transactionRows(
  view: SignedContent,
  context: ConfirmContext,
  names: Names,
): readonly FieldRow[] {
  const { decoded, fingerprint } = view
  const fee = decoded.fee.map((sum) => fullCoin(sum, names)).join(', ') || 'none'
  const mode = decoded.isAmino ? 'amino' : 'direct'
  return [
    ['Fee', [fee, `gas limit ${groupThousands(`${decoded.gasLimit}`)}`]],
    ['Valid until', [validUntil(view, context)]],
    context.allowance !== undefined && ['With --yes', allowancePieces(context.allowance)],
    decoded.memo !== '' && ['Memo', [names.text(JSON.stringify(decoded.memo))]],
    ['Sign doc', [`${mode}, sha256`, ...inParts(fingerprint, names.style)], ' '],
  ]
}

/** An amount with every digit of the token, grouped. */
export const fullCoin = ({ denom, amount }: Sum, names: Names): string =>
  `${amount === 0n ? '0' : groupThousands(formatFull(amount, names.decimals(denom)))} ${names.symbol(denom)}`

/** The last block that may include it, with the estimated time. */
function validUntil(
  { decoded: { timeoutHeight }, market }: SignedContent,
  { blockMs }: ConfirmContext,
): string {
  if (timeoutHeight === 0n) return 'no block: it can land at any time'
  const seconds = Math.round(((Number(timeoutHeight) - market.height) * blockMs) / 1000)
  const about = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return `block ${groupThousands(`${timeoutHeight}`)} (about ${about}); after that it can never land`
}

/** In millionths of a dollar. */
const CENT = 10_000n

/** The limits of `--yes`; a confirmation at a terminal may exceed them. */
const allowancePieces = ({ perTx, perDay, leftToday }: Allowance) => [
  perTx !== undefined && `at most ${money(perTx)} a transaction`,
  perDay !== undefined && dayText(perDay, leftToday),
]

const dayText = (perDay: bigint, left: bigint | undefined): string =>
  left === undefined
    ? `${money(perDay)} in 24 hours, and what is left of it is not known`
    : `${money(left - (left % CENT))} left of ${money(perDay)} in 24 hours`

/** All digits including trailing zeros: signed amounts are shown in full. */
function formatFull(amount: bigint, decimals: number): string {
  const [whole = '0', part = ''] = formatUnits(amount, decimals).split('.')
  return decimals === 0 ? whole : `${whole}.${part.padEnd(decimals, '0')}`
}

/** The first line of the screen, with the network. */
export const heading = ({ network, decoded }: SignedContent, style: Style): readonly string[] =>
  headLines('You are about to sign', `${networkName(network, style)}  ${decoded.chainId}`, style)

export type Sum = { readonly denom: string; readonly amount: bigint }

/** The complete signed document as JSON, wrapped to the terminal. */
export function renderWhole(
  { decoded }: Pick<SignedContent, 'decoded'>,
  style: Style,
): readonly string[] {
  const whole = {
    ...(decoded.isAmino && { sign_mode: 'amino' }),
    chain_id: decoded.chainId,
    account_number: `${decoded.accountNumber}`,
    sequence: `${decoded.sequence}`,
    sender: decoded.sender,
    public_key: [...decoded.publicKey].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    ...contentDocument(decoded),
  }
  return JSON.stringify(whole, null, 1)
    .split('\n')
    .flatMap((line) => wrap(printable(line), style.width))
}

/** Dollars, grouped and rounded up to cents. */
export function money(micro: bigint): string {
  const [whole = '', cents] = dollars(micro).slice(1).split('.')
  return `$${groupThousands(whole)}${cents === undefined ? '' : `.${cents}`}`
}
