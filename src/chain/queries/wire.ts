import type { BinaryReader } from 'cosmjs-types/binary'
import type { Coin } from '../../engine/market/token.js'
import {
  items,
  type JsonCursor,
  MalformedDocument,
  refuse,
  rootCursor,
} from '../../engine/snapshot/json-cursor.js'
import { utf8Text } from '../../platform/bytes.js'
import { JsonLimitError } from '../../platform/json-limits.js'
import { parseNodeJson } from '../rpc/http/json-rpc.js'

/** Reads one protobuf message, as the codecs of cosmjs-types do. */
type Codec<T> = { decode(input: BinaryReader | Uint8Array): T }

/** Decodes a protobuf answer. @throws MalformedDocument if the bytes cannot be decoded */
export function fromWire<T>(codec: Codec<T>, bytes: Uint8Array): T {
  try {
    return codec.decode(bytes)
  } catch {
    // The codec throws errors of several types.
    throw new MalformedDocument('', 'must be the requested protobuf message')
  }
}

/** A coin in messages, in protobuf and JSON. */
export const wireCoin = ({ denom, amount }: Coin) => ({ denom, amount: `${amount}` })

/** The items of a list of at most `most`. @throws MalformedDocument */
export function itemsUpTo(node: JsonCursor, most: number, what: string): readonly JsonCursor[] {
  const list = items(node)
  return list.length > most ? refuse(node, `must be at most ${most} ${what}`) : list
}

/** Parses the JSON of a contract's answer or storage. @throws MalformedDocument if it is not JSON in UTF-8 */
export function fromJson(bytes: Uint8Array): JsonCursor {
  try {
    return rootCursor(parseNodeJson(utf8Text(bytes)))
  } catch (error) {
    const isTooLarge = error instanceof JsonLimitError
    throw new MalformedDocument(
      '',
      isTooLarge ? 'must not have that many items or levels' : 'must be JSON',
    )
  }
}
