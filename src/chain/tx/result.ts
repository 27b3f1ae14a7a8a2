import type { Coin } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import {
  integer,
  isAbsent,
  items,
  type JsonCursor,
  member,
  optional,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { fromBase64 } from '../../platform/encoding.js'
import { attributesOf, attributeText, encodingIn } from '../queries/event-encoding.js'
import { nodeText } from '../rpc/http/mask.js'
import type { DeterministicResult } from './block-data.js'
import type { IncludedTx, Movement } from './outcome.js'
import { reasonOf } from './refusal.js'

/** One event of a transaction. Attributes are read by name: their order is not specified. */
type TxEvent = {
  readonly type: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Reads the result of a transaction in a block. @throws MalformedDocument */
export function decodeTxResult(node: JsonCursor, height: number): IncludedTx {
  const code = codeOf(member(node, 'code'))
  const list = member(node, 'events')
  const events = isAbsent(list) ? [] : eventsOf(list)
  const status = {
    code,
    codespace: nodeText(wordsOf(member(node, 'codespace')), []),
    log: nodeText(wordsOf(member(node, 'log')), []),
  }
  // Any contract may write such an attribute into an event of its own.
  const sequences = events.flatMap(({ type, attributes }) =>
    type === 'tx' ? (attributes.get('acc_seq') ?? []) : [],
  )
  return {
    height,
    ...status,
    reason: reasonOf(status),
    gasWanted: gasOf(member(node, 'gas_wanted')),
    gasUsed: gasOf(member(node, 'gas_used')),
    usedSequence: code === 0 || sequences.length > 0,
    sequences,
    movements: movementsOf(events),
  }
}

/** The part of a result that the next header commits to. @throws MalformedDocument */
export function deterministicPart(node: JsonCursor): DeterministicResult {
  return {
    code: codeOf(member(node, 'code')),
    data: fromBase64(wordsOf(member(node, 'data'))),
    gasWanted: gasOf(member(node, 'gas_wanted')),
    gasUsed: gasOf(member(node, 'gas_used')),
  }
}

const wordsOf = (node: JsonCursor): string =>
  node.value === '' ? '' : (optional(node, text) ?? '')

/** Absent where it is zero. */
const codeOf = (node: JsonCursor): number => (isAbsent(node) ? 0 : integer(node, 0, 2 ** 32 - 1))

/** Gas is a string; -1 means no limit. */
function gasOf(node: JsonCursor): bigint {
  if (isAbsent(node)) return 0n
  const digits = text(node)
  return /^-?\d{1,20}$/.test(digits) ? BigInt(digits) : refuse(node, 'must be an amount of gas')
}

function eventsOf(list: JsonCursor): readonly TxEvent[] {
  const encoding = encodingIn([list], list)
  const textIn = (node: JsonCursor) => attributeText(node, encoding) ?? refuse(node, 'must be text')
  return items(list).map((node) => ({
    type: text(member(node, 'type')),
    attributes: new Map(
      attributesOf(node).map((item) => [
        textIn(member(item, 'key')),
        textIn(member(item, 'value')),
      ]),
    ),
  }))
}

/** The bank's events of movements, with the attribute that names the account. */
const MOVEMENTS: ReadonlyMap<
  string,
  { readonly kind: Movement['kind']; readonly account: string }
> = new Map([
  ['coin_spent', { kind: 'spent', account: 'spender' }],
  ['coin_received', { kind: 'received', account: 'receiver' }],
])

/** Every movement of coins, in order. */
const movementsOf = (events: readonly TxEvent[]): readonly Movement[] =>
  events.flatMap(({ type, attributes }) => {
    const movement = MOVEMENTS.get(type)
    if (movement === undefined) return []
    const index = attributes.get('msg_index')
    return [
      {
        kind: movement.kind,
        account: attributes.get(movement.account) ?? '',
        coins: coinsIn(attributes.get('amount') ?? ''),
        message: index === undefined ? undefined : Number(index),
      },
    ]
  })

/** The coins of an event attribute: `12rune,5btc-btc`. */
export const coinsIn = (list: string): readonly Coin[] =>
  list.split(',').flatMap((each) => {
    const [, digits = '', denom = ''] = /^(\d+)(\D.*)$/.exec(each) ?? []
    const amount = parseUint128(digits)
    return amount === undefined ? [] : [{ denom, amount }]
  })
