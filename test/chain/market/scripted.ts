import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { type Ask, type Cost, queryBatch } from '../../../src/chain/queries/query-batch.js'
import type { Answer, Query, Source } from '../../../src/chain/rpc/query-source.js'

/** A contract's storage as a node lists it. */
export type Entry = { readonly key: Uint8Array; readonly value: Uint8Array }

/** The scripted answers of a node; every other query is refused. */
export type Script = {
  /** JSON text, or `undefined` to refuse. */
  readonly smart?: (address: string, message: unknown) => string | undefined
  readonly storage?: (address: string) => readonly Entry[]
  /** Whether only single entries can be queried. */
  readonly unlisted?: boolean
  /** Entries of a page; at most the hundred of wasmd. */
  readonly page?: number
  readonly balance?: (address: string, denom: string) => string
}

export const refused = (text: string): Answer => ({ ok: false, code: 6, codespace: 'sdk', text })
const answerWith = (value: Uint8Array): Answer => ({ ok: true, value })

const answers: Readonly<Record<string, (script: Script, data: Uint8Array) => Answer>> = {
  SmartContractState({ smart }, data) {
    const { address, queryData } = QuerySmartContractStateRequest.decode(data)
    const text = smart?.(address, JSON.parse(Buffer.from(queryData).toString()))
    return text === undefined
      ? refused('query wasm contract failed')
      : answerWith(QuerySmartContractStateResponse.encode({ data: Buffer.from(text) }).finish())
  },
  RawContractState({ storage }, data) {
    const { address, queryData } = QueryRawContractStateRequest.decode(data)
    if (storage === undefined) return refused('no storage')
    const found = storage(address).find(({ key }) => Buffer.compare(key, queryData) === 0)
    const value = found?.value ?? new Uint8Array()
    return answerWith(QueryRawContractStateResponse.encode({ data: value }).finish())
  },
  AllContractState({ storage, unlisted, page = 100 }, data) {
    const { address, pagination } = QueryAllContractStateRequest.decode(data)
    if (storage === undefined || unlisted) return refused('no storage')
    const from = pagination?.key ?? new Uint8Array()
    const rest = storage(address).filter(({ key }) => Buffer.compare(key, from) >= 0)
    return answerWith(
      QueryAllContractStateResponse.encode({
        models: rest.slice(0, page) as { key: Uint8Array; value: Uint8Array }[],
        pagination: { nextKey: rest[page]?.key ?? new Uint8Array(), total: 0n },
      }).finish(),
    )
  },
  Balance({ balance }, data) {
    const { address, denom } = QueryBalanceRequest.decode(data)
    const amount = balance?.(address, denom) ?? '0'
    return answerWith(QueryBalanceResponse.encode({ balance: { denom, amount } }).finish())
  },
}

const answerTo = (script: Script, { path, data }: Query): Answer =>
  answers[path.slice(path.lastIndexOf('/') + 1)]?.(script, data) ?? refused('unknown query path')

const absent = async (): Promise<never> => {
  throw new Error('not in the script')
}

/** A source with the answers of a script, at any height. */
export const scriptedSource = (script: Script): Source => ({
  newestHeight: async () => 1,
  queries: async (questions) => questions.map((question) => answerTo(script, question)),
  call: absent,
  rest: absent,
  close: () => {},
})

/** Queries a script. */
export function scripted(script: Script): Ask & { readonly cost: Cost } {
  const cost: Cost = { queries: 0, batches: 0, bytes: 0 }
  return Object.assign(queryBatch(scriptedSource(script), 'script', 1, cost), { cost })
}
