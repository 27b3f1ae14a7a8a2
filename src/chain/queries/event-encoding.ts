import {
  isAbsent,
  items,
  type JsonCursor,
  member,
  optional,
  refuse,
} from '../../engine/snapshot/json-cursor.js'
import { attempt } from '../../platform/attempt.js'
import { utf8Text } from '../../platform/bytes.js'
import { fromBase64 } from '../../platform/encoding.js'

/** The members of `block_results` with the events outside of transactions; versions of CometBFT differ. */
export const OTHER_EVENTS = [
  'finalize_block_events',
  'begin_block_events',
  'end_block_events',
] as const

/** How a node writes names and values: CometBFT 0.37 in base64, later ones as they are. */
export type Encoding = 'plain' | 'base64'

/** Attribute names that only the node writes; the first event of every transaction has one of them. */
export const OWN_NAMES: ReadonlySet<unknown> = new Set([
  'spender',
  'receiver',
  'recipient',
  'sender',
  'amount',
  'fee',
  'fee_payer',
  'acc_seq',
  'signature',
  'action',
  'module',
  'msg_index',
  'mode',
  'minter',
  'burner',
])

/** The text that is encoded in base64; `undefined` for invalid base64 and invalid UTF-8. */
function decodedText(text: string): string | undefined {
  if (!/^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(text)) return undefined
  return attempt(() => utf8Text(fromBase64(text)))
}

/**
 * The encoding of the attributes of a list of events, detected by the first name that only the node
 * writes, which comes before any that a contract may choose. `undefined` where none is found.
 *
 * @throws MalformedDocument
 */
function encodingOf(events: JsonCursor): Encoding | undefined {
  for (const event of items(events))
    for (const attribute of attributesOf(event)) {
      const { value: name } = member(attribute, 'key')
      if (typeof name !== 'string') continue
      if (OWN_NAMES.has(name)) return 'plain'
      if (OWN_NAMES.has(decodedText(name) ?? '')) return 'base64'
    }
  return undefined
}

/**
 * The encoding of lists of events of one answer, the same for all of them; `plain` if there are none.
 *
 * @param answer where they are, for the error
 * @throws MalformedDocument if there are events, and none can be read
 */
export function encodingIn(lists: readonly JsonCursor[], answer: JsonCursor): Encoding {
  for (const list of lists) {
    const encoding = encodingOf(list)
    if (encoding !== undefined) return encoding
  }
  if (lists.every((list) => items(list).length === 0)) return 'plain'
  return refuse(answer, 'must have events whose attributes can be read')
}

/** The attributes of an event; older nodes leave out an empty list. */
export const attributesOf = (event: JsonCursor): readonly JsonCursor[] =>
  optional(member(event, 'attributes'), items) ?? []

/** A name or a value of an attribute; `undefined` if it is not text. */
export function attributeText(node: JsonCursor, encoding: Encoding): string | undefined {
  // The older nodes write an empty value as null.
  if (isAbsent(node)) return ''
  if (typeof node.value !== 'string') return undefined
  return encoding === 'plain' ? node.value : decodedText(node.value)
}
