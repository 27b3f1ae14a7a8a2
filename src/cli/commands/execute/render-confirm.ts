import type { DecodedCall, SigningView } from '../../../execution/plan/signing-view.js'
import { summed } from '../../../execution/verify.js'
import { formatBps, formatUnits, groupThousands, renderImpact } from '../../../render/amount.js'
import { field, formOf, networkName, paragraph, roomOf } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { displayWidth, wrap } from '../../../render/width.js'
import { money } from './question.js'

/** What may be signed without anybody being asked, in millionths of a dollar. */
export type Allowance = {
  readonly perTx: bigint | undefined
  readonly perDay: bigint | undefined
  /** Of the day's, after what the last 24 hours took; never below 0. */
  readonly leftToday: bigint | undefined
}

/** What the screen needs beside the view. */
export type ConfirmContext = Naming & {
  /** Names of keys and of the address book, by address; shown beside the address, never for it. */
  readonly accounts: ReadonlyMap<string, string>
  /** Where the router's address comes from: `of the built-in list`. */
  readonly routerOrigin: string
  /** How long a block takes, in milliseconds, as far as that is known. */
  readonly blockMs: number
  /** `undefined` where no limit is configured. */
  readonly allowance: Allowance | undefined
}

/**
 * What a signature covers, as its bytes say it: from whom, how much, at least what for it, to whom,
 * by which contract, until when. Amounts are printed in full, with the atomics beside them.
 */
export function renderConfirm(
  view: SigningView,
  context: ConfirmContext,
  style: Style,
): readonly string[] {
  const names = namesOf({ ...context, tokens: view.tokens }, style)
  const { decoded, calls } = view
  const [first] = calls
  const { dot } = glyphsOf(style)
  const sold = summed(calls.map(({ funds }) => funds))
  const least = summed(calls.map((call) => call.least))
  const coin = (sum: Sum) => [
    fullCoin(sum, names),
    style.muted(`${sum.amount} ${names.short(sum.denom, 24)}`),
  ]
  const named = view.keyName ?? context.accounts.get(decoded.sender)
  const key = named === undefined ? [] : [names.text(named)]
  return [
    ...heading(view, style),
    ...field('From', [...key, ...inParts(names.text(decoded.sender), style)], style, '  '),
    ...field('', [`account ${decoded.accountNumber}`, `sequence ${decoded.sequence}`], style),
    ...sold.flatMap((sum) => field('Sends', coin(sum), style)),
    ...least.flatMap((sum, i) =>
      field(i === 0 ? 'Receives' : '', [`at least ${coin(sum).join('   ')}`], style),
    ),
    ...inAllLines(view, names, style),
    ...field('Expected', expectedPieces(view, first!, names, style), style, ` ${dot} `),
    ...field('Slippage', [toleranceText(view)], style),
    ...recipientLines(view, context.accounts, names, style),
    ...field(
      'Through',
      [
        `router ${names.text(context.routerOrigin)}`,
        ...inParts(names.text(first!.contract), style),
      ],
      style,
      ' ',
    ),
    ...affiliateLines(view, names, style),
    ...field(
      'Fee',
      [
        decoded.fee.map((sum) => fullCoin(sum, names)).join(', ') || 'none',
        `gas limit ${grouped(`${decoded.gasLimit}`)}`,
      ],
      style,
    ),
    ...field('Valid until', [validUntil(view, context)], style),
    ...allowanceLines(context.allowance, style),
    ...(decoded.memo === ''
      ? []
      : field('Memo', [names.text(JSON.stringify(decoded.memo))], style)),
    ...field('Sign doc', ['direct, sha256', ...inParts(view.fingerprint, style)], style, ' '),
    '',
    ...messageLines(view, names, style),
    ...deepLines(view, style),
  ]
}

/** An amount with every digit of the token, grouped. */
const fullCoin = ({ denom, amount }: Sum, names: Names): string =>
  `${amount === 0n ? '0' : grouped(formatFull(amount, names.decimals(denom)))} ${names.symbol(denom)}`

/** What this and the transactions after it sell and demand together. */
function inAllLines({ calls, later }: SigningView, names: Names, style: Style): readonly string[] {
  if (later.length === 0) return []
  const sold = summed([...calls.map(({ funds }) => funds), ...later.map(({ funds }) => funds)])
  const least = summed([
    ...calls.map((call) => call.least),
    ...later.map(({ output, least: amount }) => ({ denom: output, amount })),
  ])
  const text = (sums: readonly Sum[]) => sums.map((sum) => fullCoin(sum, names)).join(', ')
  return field(
    'In all',
    [`${text(sold)} for at least ${text(least)}`, `${later.length + 1} transactions`],
    style,
  )
}

/** @example '0.50 % (--slippage)' */
const toleranceText = ({ tolerance: { bps, source } }: SigningView): string =>
  `${formatBps(bps)} (${source})`

/** The last block that may hold it, and about how long that is away. */
function validUntil(
  { decoded: { timeoutHeight }, market }: SigningView,
  { blockMs }: ConfirmContext,
): string {
  if (timeoutHeight === 0n) return 'no block: it can land at any time'
  const seconds = Math.round(((Number(timeoutHeight) - market.height) * blockMs) / 1000)
  const about = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return `block ${grouped(`${timeoutHeight}`)} (about ${about}); after that it can never land`
}

/** In millionths of a dollar. */
const CENT = 10_000n

/** What the limits leave to signing without being asked: they do not bind a person. */
function allowanceLines(allowance: Allowance | undefined, style: Style): readonly string[] {
  if (allowance === undefined) return []
  const { perTx, perDay, leftToday } = allowance
  return field(
    'With --yes',
    [
      ...(perTx === undefined ? [] : [`at most ${money(perTx)} a swap`]),
      ...(perDay === undefined || leftToday === undefined
        ? []
        : [`${money(leftToday - (leftToday % CENT))} left of ${money(perDay)} in 24 hours`]),
    ],
    style,
  )
}

/** A long word in as many parts as the screen needs to show all of it: nothing signed is cut off. */
const inParts = (word: string, style: Style): readonly string[] =>
  word.match(new RegExp(`.{1,${Math.max(8, roomOf(style))}}`, 'gu')) ?? []

const grouped = (digits: string): string => {
  const [whole = '', part] = digits.split('.')
  return groupThousands(whole) + (part === undefined ? '' : `.${part}`)
}

/** Every digit, also trailing zeros: what is signed is shown in full. */
function formatFull(amount: bigint, decimals: number): string {
  const [whole = '0', part = ''] = formatUnits(amount, decimals).split('.')
  return decimals === 0 ? whole : `${whole}.${part.padEnd(decimals, '0')}`
}

function heading(view: SigningView, style: Style): readonly string[] {
  const left = 'You are about to sign'
  const right = `${networkName(view.network, style)}  ${view.decoded.chainId}`
  const { line } = glyphsOf(style)
  if (formOf(style) === 'stacked') return [style.bold(left), right]
  const room = Math.max(2, style.width - displayWidth(left) - displayWidth(right))
  return [`${style.bold(left)}${' '.repeat(room)}${right}`, line.repeat(style.width)]
}

type Sum = { readonly denom: string; readonly amount: bigint }

function expectedPieces(
  { expected, quoted, impactBps, market, later }: SigningView,
  { least }: DecodedCall,
  names: Names,
  style: Style,
): readonly string[] {
  const change = expected - quoted
  const coin = names.coin({ denom: least.denom, amount: `${expected}` })
  const moved =
    change === 0n
      ? 'unchanged'
      : `${change > 0n ? '+' : '-'}${names.coin({ denom: least.denom, amount: `${change < 0n ? -change : change}` })}`
  return [
    later.length === 0 ? coin : `${coin} in all`,
    `impact ${renderImpact(impactBps, style)}`,
    `re-quoted at block ${grouped(`${market.height}`)}, ${moved}`,
  ]
}

function recipientLines(
  { calls, keyName }: SigningView,
  accounts: ConfirmContext['accounts'],
  names: Names,
  style: Style,
): readonly string[] {
  const others = [...new Set(calls.map(({ recipient }) => recipient))]
  return others.flatMap((recipient) =>
    field(
      'Paid to',
      recipient === undefined
        ? [`you${keyName === null ? '' : ` (${names.text(keyName)})`}`]
        : [
            ...[accounts.get(recipient) ?? []].flat().map((name) => names.text(name)),
            ...inParts(names.text(recipient), style).map((part) => style.bold(style.bad(part))),
            style.bad('NOT the account that signs'),
          ],
      style,
    ),
  )
}

function affiliateLines({ calls }: SigningView, names: Names, style: Style): readonly string[] {
  const [code] = calls.flatMap(({ affiliate }) => affiliate ?? [])
  return code === undefined ? [] : field('Affiliate', [names.text(code), 'is paid as well'], style)
}

function messageLines(view: SigningView, names: Names, style: Style): readonly string[] {
  const { calls, later } = view
  const { arrow } = glyphsOf(style)
  const count = calls.length === 1 ? '1 message' : `${calls.length} messages`
  const lines = calls.map(({ funds, least, stages }, i) => {
    const from = fullCoin(funds, names)
    const to = fullCoin(least, names)
    const over = stages.map(({ address }) => names.pair(address)).join(', ')
    return `L${i + 1} ${from} ${arrow} at least ${to}, over ${over}`
  })
  const after = later.map(({ funds, least, output }, i) => {
    const from = fullCoin(funds, names)
    const to = fullCoin({ denom: output, amount: least }, names)
    return `L${calls.length + i + 1} ${from} ${arrow} at least ${to}, in a transaction of its own`
  })
  const what =
    later.length === 0
      ? `${count}  MsgExecuteContract: all of it happens, or nothing`
      : `${count}  MsgExecuteContract; the other legs follow one by one`
  return [
    ...paragraph(what, style),
    ...[...lines, ...after].flatMap((line) => paragraph(line, style, 4)),
  ]
}

function deepLines({ deep }: SigningView, style: Style): readonly string[] {
  if (deep.length === 0) return []
  const which = deep.map((leg) => `L${leg}`).join(', ')
  return paragraph(
    `${which} takes most of what a book holds: the minimum is drawn close, so that a thinner book fails the transaction`,
    style,
  ).map((line) => style.warning(line))
}

/** The whole document that is signed, as JSON, in lines of the terminal. */
export function renderWhole(
  { decoded }: Pick<SigningView, 'decoded'>,
  style: Style,
): readonly string[] {
  const whole = {
    chain_id: decoded.chainId,
    account_number: `${decoded.accountNumber}`,
    sequence: `${decoded.sequence}`,
    sender: decoded.sender,
    public_key: [...decoded.publicKey].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    messages: decoded.calls.map(({ contract, message, funds }) => ({
      contract,
      msg: JSON.parse(message) as unknown,
      funds: funds.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    })),
    memo: decoded.memo,
    timeout_height: `${decoded.timeoutHeight}`,
    fee: decoded.fee.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    gas_limit: `${decoded.gasLimit}`,
  }
  return JSON.stringify(whole, null, 1)
    .split('\n')
    .flatMap((line) => wrap(line, style.width))
}
