import type { Affiliate, Excluded } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import type { Denom, Token } from '../../engine/market/token.js'
import { finRules } from '../../engine/market/venues/fin-rules.js'
import { utf8 } from '../../platform/bytes.js'
import type { Network } from '../networks/network.js'
import { tokenOfDenom } from '../networks/tokens.js'
import { decodeVersion, pairConfig } from '../queries/pair.js'
import { type Ask, type Reply, requireAnswer, Unreadable } from '../queries/query-batch.js'
import {
  codeChecksum,
  contractInfo,
  metadata,
  smartQuery,
  wholeCodeChecksum,
} from '../queries/questions.js'
import { type AffiliatePage, decodeAffiliates, decodeRouterFee } from '../queries/router.js'
import { InvalidChain } from '../rpc/faults.js'
import { readStored } from './storage.js'

/** The configuration and version of a pair, which rarely change, as of the height at which they were read. */
export type PairContract = Awaited<ReturnType<typeof readPairContract>>

/** Whether two readings of a pair gave the same configuration and version. */
export const isSameContract = (a: PairContract, b: PairContract): boolean =>
  termsOf(a) === termsOf(b)

const termsOf = ({ config, version }: PairContract): string =>
  JSON.stringify({
    ...config,
    takerFee: `${config.takerFee}`,
    makerFee: `${config.makerFee}`,
    version,
  })

/** A pair's configuration and version. @throws Unreadable */
export async function readPairContract(ask: Ask, address: string, height: number) {
  const [config, version] = await Promise.all([ask(pairConfig(address)), readVersion(ask, address)])
  /** The version is `undefined` if the contract does not report it. */
  return { address, config: requireAnswer(config, 'its configuration'), version, height }
}

/** Labels of contracts by address, so that each is queried once. */
export type ContractLabels = Map<string, string>

/** The label of a contract; `undefined` if it is not answered. */
export async function readLabel(
  ask: Ask,
  address: string,
  labels: ContractLabels,
): Promise<string | undefined> {
  if (!labels.has(address)) {
    const info = await ask(contractInfo(address))
    if (info.kind === 'answered') labels.set(address, info.value.label)
  }
  return labels.get(address)
}

/**
 * The denoms of a pair that answers nothing, from its label (`name:base:quote`), so that queries for
 * its tokens mention the pair instead of reporting unknown tokens.
 */
function denomsIn(label = ''): readonly Denom[] {
  const [, base, quote, ...more] = label.split(':')
  return base && quote && more.length === 0 ? [base, quote] : []
}

/** The denoms in the labels of pairs, by address. */
export const readLabelDenoms = async (
  ask: Ask,
  addresses: Iterable<string>,
  labels: ContractLabels,
): Promise<ReadonlyMap<string, readonly Denom[]>> =>
  new Map(
    await Promise.all(
      [...addresses].map(
        async (address) => [address, denomsIn(await readLabel(ask, address, labels))] as const,
      ),
    ),
  )

/** The storage key of a contract's name and version (CW2). */
const VERSION_KEY = utf8('contract_info')

/** The contract's version; `undefined` if it is unreadable: unknown versions get the most cautious rules. */
const readVersion = (ask: Ask, address: string): Promise<string | undefined> =>
  readStored(ask, address, VERSION_KEY, decodeVersion)

/** The configuration of the router, without its balances. */
export type RouterContract = Awaited<ReturnType<typeof readRouterContract>>

/** Affiliates of one page, and the most that are read. */
const AFFILIATES = 100
const MOST_AFFILIATES = 10_000

/** A router's fee, code and affiliates. @throws Unreadable */
export async function readRouterContract(ask: Ask, address: string) {
  const [fee, info, affiliates] = await Promise.all([
    ask(smartQuery(address, { config: {} }, decodeRouterFee)),
    ask(contractInfo(address)),
    readAffiliates(ask, address),
  ])
  const { codeId } = requireAnswer(info, "the router's code")
  return {
    feeBps: requireAnswer(fee, "the router's configuration"),
    codeId,
    /** SHA-256 of the code, upper-case hex; `undefined` if the node does not report it. */
    checksum: await readChecksum(ask, codeId),
    affiliates,
  }
}

async function readChecksum(ask: Ask, codeId: bigint): Promise<string | undefined> {
  for (const question of [codeChecksum, wholeCodeChecksum]) {
    const reply = await ask(question(codeId))
    if (reply.kind === 'answered') return reply.value
  }
  return undefined
}

/** The address of a network's router. @throws InvalidChain where none is configured */
export function requireRouter({ name, router: { address } }: Network): string {
  if (address !== undefined) return address
  throw new InvalidChain(name, 'its router is not known', 'set router.address')
}

/** @throws InvalidChain if the address of the router is that of a pair */
export async function requireNoPair(network: Network, ask: Ask, address: string): Promise<void> {
  const reply = await ask(pairConfig(address))
  if (reply.kind !== 'answered') return
  const { base, quote } = reply.value
  throw new InvalidChain(
    network.name,
    `the router ${address} is a pair (${base} and ${quote}), not a router`,
    'correct router.address in .swaprc, or --router-address',
  )
}

async function readAffiliates(ask: Ask, address: string): Promise<ReadonlyMap<string, Affiliate>> {
  const affiliates = new Map<string, Affiliate>()
  for (let after: string | null = null; ; ) {
    const message = { affiliates: { limit: AFFILIATES, start_after: after } }
    const reply = await ask(smartQuery(address, message, decodeAffiliates(AFFILIATES)))
    // A router without this query has no affiliates to list.
    if (reply.kind === 'refused' && after === null) return affiliates
    const page: AffiliatePage = requireAnswer(reply, "the router's list of affiliates")
    const size = affiliates.size
    for (const [code, affiliate] of page) affiliates.set(code, affiliate)
    const last = page.at(-1)?.[0]
    if (last === undefined || page.length < AFFILIATES) return affiliates
    if (affiliates.size === size || affiliates.size > MOST_AFFILIATES)
      throw new Unreadable("the router's list of affiliates has no end")
    after = last
  }
}

/**
 * The token of a denom: from the network's table, otherwise from the bank's metadata, otherwise derived from the denom.
 */
export async function readToken(ask: Ask, network: Network, denom: Denom): Promise<Token> {
  return network.tokens.get(denom) ?? describedToken(network, denom, await ask(metadata(denom)))
}

/** The token of a denom that the network's table does not have, by a node's answer about its metadata. */
export function describedToken(
  network: Network,
  denom: Denom,
  reply: Reply<Pick<Token, 'symbol' | 'name' | 'decimals'>>,
): Token {
  const token = tokenOfDenom(denom, network.home)
  if (reply.kind !== 'answered') return token
  const { symbol, name, decimals } = reply.value
  return { ...token, decimals, symbol: symbol || token.symbol, name: name || token.name }
}

/** The data of pairs that does not need their books. */
type Knowledge = {
  readonly contracts: readonly PairContract[]
  /** The denoms of their labels, by address. */
  readonly labels: ReadonlyMap<string, readonly Denom[]>
  readonly retired: readonly string[]
}

/**
 * The excluded pairs of a market, with their configuration or denoms if known: their orders can be listed and closed
 * without a book.
 */
export function leftOut(
  pairs: readonly Excluded[],
  { contracts, labels, retired }: Knowledge,
): readonly Excluded[] {
  const byAddress = new Map(contracts.map((contract) => [contract.address, contract]))
  return pairs.map(({ address, status, reason }) => {
    const contract = byAddress.get(address)
    const pair = contract && pairOf(contract)
    const [base, quote] = pair === undefined ? (labels.get(address) ?? []) : [pair.base, pair.quote]
    return {
      address,
      status,
      reason,
      ...(base !== undefined && quote !== undefined && { denoms: { base, quote } }),
      ...(pair && { pair }),
      ...(retired.includes(address) && { isRetired: true }),
    }
  })
}

const pairOf = ({ address, config, version }: PairContract): Pair => {
  const { makers: _, ...rest } = config
  return { address, ...rest, version, rules: finRules(version), ranges: [] }
}
