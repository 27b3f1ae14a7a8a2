import { type JsonCursor, member, text } from '../../engine/snapshot/json-cursor.js'

/** What a contract keeps under `contract_info`: its name and version, by CW2. */
export type ContractVersion = { readonly contract: string; readonly version: string }

/** @throws MalformedDocument */
export const decodeVersion = (node: JsonCursor): ContractVersion => ({
  contract: text(member(node, 'contract')),
  version: text(member(node, 'version')),
})
