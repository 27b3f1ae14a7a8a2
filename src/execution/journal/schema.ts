import * as Type from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { SwapError } from '../../engine/errors.js'
import type { Intent, TxState, UnreadEntry } from './intent.js'

const closed = { additionalProperties: false } as const
const Digits = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' })
const OrNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  type: T,
) => Type.Union([type, Type.Null()])
const CoinRecord = Type.Object({ denom: Type.String(), amount: Digits }, closed)

const CoinRecords = Type.Array(CoinRecord)
const BooleanOrNull = Type.Union([Type.Boolean(), Type.Null()])

const FillRecord = Type.Object(
  {
    spent: CoinRecords,
    returned: CoinRecords,
    received: Type.Array(Digits),
    paid: Type.Optional(Type.Array(CoinRecords)),
    fee: CoinRecords,
    left_behind: CoinRecords,
    router_grew: Type.Union([CoinRecords, Type.Null()]),
    verified: Type.Object(
      { events: Type.Boolean(), balances: BooleanOrNull, router: BooleanOrNull },
      closed,
    ),
    gas_used: Type.String({ pattern: '^-?\\d{1,20}$' }),
    gas_limit: Type.String({ pattern: '^-?\\d{1,20}$' }),
  },
  closed,
)

/** States of version 0.1.0, which had a member `maybe_sent`, and their current names. */
const EARLIER: Readonly<Record<string, TxState>> = { broadcasting: 'sent', unknown: 'sent' }

const TxRecord = Type.Object(
  {
    state: Type.Enum([
      ...['signed', 'sent', 'accepted', 'refused', 'included', 'expired', 'replaced', 'abandoned'],
      ...Object.keys(EARLIER),
    ]),
    hash: Type.String({ pattern: '^[0-9A-F]{64}$' }),
    bytes: Type.String({ minLength: 4 }),
    public_key: Type.String({ minLength: 44, maxLength: 44 }),
    account_number: Digits,
    sequence: Digits,
    timeout_height: Type.Integer({ minimum: 0 }),
    signed_height: Type.Integer({ minimum: 0 }),
    legs: Type.Array(Type.Integer({ minimum: 0 })),
    height: OrNull(Type.Integer({ minimum: 1 })),
    code: OrNull(Type.Integer({ minimum: 0 })),
    codespace: OrNull(Type.String()),
    log: OrNull(Type.String()),
    sign_mode: Type.Optional(Type.Literal('amino')),
    evidence: Type.Optional(Type.Enum(['one_node', 'block', 'agreed'])),
    fill: Type.Optional(FillRecord),
    maybe_sent: Type.Optional(Type.Boolean()),
  },
  closed,
)

const LegRecord = Type.Object(
  {
    funds: CoinRecord,
    output: Type.String(),
    expected: Digits,
    min_return: Digits,
    quoted: Type.Union([Digits, Type.Null()]),
    pairs: Type.Array(Type.String()),
  },
  closed,
)

const OrderRecord = Type.Object(
  {
    pair: Type.String(),
    entries: Type.Array(
      Type.Object({ id: Type.String(), target: OrNull(Digits), rests: OrNull(Digits) }, closed),
    ),
    funds: CoinRecords,
    expected: Type.Union([CoinRecords, Type.Null()]),
  },
  closed,
)

const Places = Type.Integer({ minimum: 0, maximum: 38 })

const IntentSchema = Type.Object(
  {
    format: Type.Literal('swap.intent/1'),
    id: Type.String({ pattern: '^x_[0-9a-f]{8}$' }),
    network: Type.String(),
    chain_id: Type.String(),
    address: Type.String(),
    key: OrNull(Type.String()),
    once: OrNull(Type.String()),
    request: Type.Optional(Type.String()),
    unattended: Type.Boolean(),
    mode: Type.Enum(['batch', 'legs', 'bytes', 'handed']),
    quote_id: OrNull(Type.String()),
    created: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' }),
    worth_micro_usd: Type.Union([Digits, Type.Null()]),
    contract: Type.String(),
    recipient: Type.String(),
    affiliate: OrNull(Type.String()),
    slippage_bps: OrNull(Type.Integer({ minimum: 0, maximum: 9999 })),
    min_out: Type.Optional(Digits),
    decimals: Type.Optional(Type.Tuple([Places, Places])),
    legs: Type.Array(LegRecord),
    orders: Type.Optional(Type.Array(OrderRecord)),
    txs: Type.Array(TxRecord),
    report: Type.Optional(Type.Unknown()),
  },
  closed,
)

/**
 * Reads an intent file. An unreadable one is an error: its transaction may still be executed.
 *
 * @throws SwapError OUTCOME_UNKNOWN that names the file
 */
export function readIntent(text: string | undefined, file: string): Intent {
  const value = text === undefined ? undefined : parsed(text)
  if (Check(IntentSchema, value)) return current(value)
  throw new SwapError('OUTCOME_UNKNOWN', `an entry of the journal cannot be read: ${file}`, {
    why: value === undefined ? 'it is not JSON, or not to be opened' : faultOf(value),
    hint: 'look at it, and at the account on the chain; move the file away once you know what happened',
    members: { tx_hash: null, timeout_height: null, path: file },
  })
}

function faultOf(value: unknown): string {
  const [first] = Errors(IntentSchema, value)[1]
  return first === undefined ? 'it is no entry' : `${first.instancePath} ${first.message}`.trim()
}

/** The entry that cannot be read although its transactions are final; `undefined` of any other error. */
export function unreadableFinished(error: unknown): UnreadEntry | undefined {
  if (!(error instanceof SwapError) || error.code !== 'OUTCOME_UNKNOWN') return undefined
  const path = error.members['path']
  return typeof path === 'string' && path.endsWith('.done.json')
    ? { path, reason: error.why ?? '' }
    : undefined
}

/** Converts an intent of an earlier version; the stored report is dropped, as it is derived now. */
function current(value: Type.Static<typeof IntentSchema>): Intent {
  const { report: _, ...intent } = value
  const txs = value.txs.map(({ maybe_sent: isSent = false, ...tx }) => {
    const state = EARLIER[tx.state] ?? tx.state
    return { ...tx, state: state === 'signed' && isSent ? 'sent' : state }
  })
  return { ...intent, txs } as Intent
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
