import {
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'

/** More contracts than are read: a list of a million pairs is no list of pairs. */
const MOST = 10_000

/** Addresses of the REST route that lists contracts by name, each once. @throws MalformedDocument */
export function decodeListing(node: JsonCursor): readonly string[] {
  const infos = isAbsent(member(node, 'infos')) ? member(node, 'contracts') : member(node, 'infos')
  const list = items(infos)
  if (list.length > MOST) return refuse(infos, `must be at most ${MOST} contracts`)
  return [...new Set(list.map((info) => text(member(info, 'address'))))]
}
