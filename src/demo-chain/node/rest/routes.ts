/** A path of the REST gateway and the query behind it. */
export type Route = {
  readonly method: 'GET' | 'POST'
  /** `{name}` takes one part of the path, `{name=**}` the rest. */
  readonly pattern: string
  /** The gRPC path. */
  readonly query: string
}

const AUTH = ['/cosmos/auth/v1beta1', '/cosmos.auth.v1beta1.Query'] as const
const BANK = ['/cosmos/bank/v1beta1', '/cosmos.bank.v1beta1.Query'] as const
const WASM = ['/cosmwasm/wasm/v1', '/cosmwasm.wasm.v1.Query'] as const
const TX = ['/cosmos/tx/v1beta1', '/cosmos.tx.v1beta1.Service'] as const
const BASE = ['/cosmos/base/tendermint/v1beta1', '/cosmos.base.tendermint.v1beta1.Service'] as const
const NODE = ['/cosmos/base/node/v1beta1', '/cosmos.base.node.v1beta1.Service'] as const
const STAKING = ['/cosmos/staking/v1beta1', '/cosmos.staking.v1beta1.Query'] as const

const get = (
  [path, service]: readonly [string, string],
  pattern: string,
  name: string,
  method: Route['method'] = 'GET',
): Route => ({ method, pattern: `${path}${pattern}`, query: `${service}/${name}` })

/** The routes of the gateway. Of two that fit a path, the later one is taken. */
export const routes: readonly Route[] = [
  get(AUTH, '/accounts/{address}', 'Account'),
  get(AUTH, '/account_info/{address}', 'AccountInfo'),
  get(BANK, '/balances/{address}', 'AllBalances'),
  get(BANK, '/balances/{address}/by_denom', 'Balance'),
  get(BANK, '/spendable_balances/{address}', 'SpendableBalances'),
  get(BANK, '/supply', 'TotalSupply'),
  get(BANK, '/supply/by_denom', 'SupplyOf'),
  get(BANK, '/denoms_metadata', 'DenomsMetadata'),
  get(BANK, '/denoms_metadata/{denom=**}', 'DenomMetadata'),
  get(WASM, '/contract/{address}', 'ContractInfo'),
  get(WASM, '/contract/{address}/history', 'ContractHistory'),
  get(WASM, '/contract/{address}/state', 'AllContractState'),
  get(WASM, '/contract/{address}/raw/{query_data}', 'RawContractState'),
  get(WASM, '/contract/{address}/smart/{query_data}', 'SmartContractState'),
  get(WASM, '/contracts/creator/{creator_address}', 'ContractsByCreator'),
  get(WASM, '/code', 'Codes'),
  get(WASM, '/code/{code_id}', 'Code'),
  get(WASM, '/code-info/{code_id}', 'CodeInfo'),
  get(WASM, '/code/{code_id}/contracts', 'ContractsByCode'),
  get(TX, '/simulate', 'Simulate', 'POST'),
  get(TX, '/txs', 'GetTxsEvent'),
  get(TX, '/txs', 'BroadcastTx', 'POST'),
  get(TX, '/txs/{hash}', 'GetTx'),
  get(BASE, '/node_info', 'GetNodeInfo'),
  get(BASE, '/blocks/{height}', 'GetBlockByHeight'),
  get(BASE, '/blocks/latest', 'GetLatestBlock'),
  get(NODE, '/config', 'Config'),
  get(STAKING, '/delegations/{delegator_addr}', 'DelegatorDelegations'),
]

type Match = { readonly route: Route; readonly parts: ReadonlyMap<string, string> }

const compiled = routes.map((route) => ({ route, wanted: route.pattern.split('/') })).reverse()

function partsOf(wanted: readonly string[], path: readonly string[]) {
  const parts = new Map<string, string>()
  for (const [at, want] of wanted.entries()) {
    const [, name, rest] = /^\{(\w+)(=\*\*)?\}$/.exec(want) ?? []
    if (name !== undefined && rest !== undefined && path.length > at) {
      parts.set(name, path.slice(at).join('/'))
      return parts
    }
    const part = path[at]
    if (part === undefined) return undefined
    if (name !== undefined) parts.set(name, part)
    else if (part !== want) return undefined
  }
  return path.length === wanted.length ? parts : undefined
}

/** The route for a decoded path; `elsewhere` when there is one, but for another method. */
export function routeFor(method: string, path: string): Match | 'elsewhere' | undefined {
  const given = path.split('/')
  let elsewhere = false
  for (const { route, wanted } of compiled) {
    const parts = partsOf(wanted, given)
    if (!parts) continue
    if (route.method === method) return { route, parts }
    elsewhere = true
  }
  return elsewhere ? 'elsewhere' : undefined
}
