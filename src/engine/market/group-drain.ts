import { ceilDiv, divFloor, MAX_UINT128 } from '../math/decimal.js'
import type { Group, LevelPart, PoolPart } from './group.js'
import type { FinRules } from './venues/fin-rules.js'
import { levelCost, levelCostFits, levelOfferLimit, levelThreshold } from './venues/maker-level.js'
import { drainCost, drainThreshold } from './venues/resting-pool.js'

/** What draining a whole group means, whatever larger amount was offered to it. */
export type GroupDrain = {
  /** The least offer at which every part of the group is drained and its cost is covered. */
  readonly threshold: bigint
  /** The offer that this takes: a fixed sum of the parts' floored (or ceiled) costs. */
  readonly cost: bigint
  readonly pays: bigint
  /** The largest offer that can be shown to the group without leaving 128 bits. */
  readonly limit: bigint
  readonly makers: readonly {
    readonly maker: number
    readonly cost: bigint
    readonly pays: bigint
  }[]
}

/**
 * The drain of a group, or `undefined` where it cannot be known in advance and the group has to be
 * walked: a part of size or factor zero, or one whose cost leaves 128 bits.
 *
 * Each part's share of an offer, `floor(offer × part ÷ total)` or the offer less that, never falls
 * when the offer grows, and a part is drained from a certain share on; so the group is drained from
 * the largest of the offers that give every part its least share (docs/maths.md#compiled-form).
 */
export function groupDrain(rules: FinRules, group: Group): GroupDrain | undefined {
  const pools = group.pools.map((part) => poolDrain(rules, part))
  const levels = group.levels.map((part) => levelDrain(part))
  const combined = combinedDrain(pools, levels)
  if (combined === undefined || combined.pays === 0n) return undefined
  const { threshold, cost } = combined
  return {
    makers: group.levels.map(({ maker }, i) => ({
      maker,
      cost: levels[i]!.cost,
      pays: levels[i]!.pays,
    })),
    ...combined,
    threshold: threshold > cost ? threshold : cost,
  }
}

function combinedDrain(
  pools: readonly (PartDrain | undefined)[],
  levels: readonly (PartDrain | undefined)[],
): PartDrain | undefined {
  if (pools.length + levels.length === 1) return pools[0] ?? levels[0]
  return complete(pools) && complete(levels) ? joined(pools, levels) : undefined
}

const complete = (parts: readonly (PartDrain | undefined)[]): parts is readonly PartDrain[] =>
  parts.every((part) => part !== undefined && part.pays > 0n)

/** Parts that share an offer in proportion: the least offer that gives each one enough. */
function joined(pools: readonly PartDrain[], levels: readonly PartDrain[]): PartDrain {
  const fromPools = sharedByPools(pools)
  const fromLevels = sharedByLevels(levels)
  const threshold =
    fromPools === undefined || fromLevels === undefined
      ? (fromPools ?? fromLevels)!
      : sharedByTwo(fromPools, paysOf(pools), fromLevels, paysOf(levels))
  const parts = [...pools, ...levels]
  return {
    threshold,
    cost: parts.reduce((sum, part) => sum + part.cost, 0n),
    pays: paysOf(parts),
    limit: parts.reduce((least, { limit }) => (limit < least ? limit : least), MAX_UINT128),
  }
}

type PartDrain = Omit<GroupDrain, 'makers'>

function poolDrain(rules: FinRules, part: PoolPart): PartDrain | undefined {
  const { factor, size } = part
  if (part.pool.origin === 'unknown') return levelDrain(part)
  if (factor === 0n || divFloor(size, factor) >= MAX_UINT128) return undefined
  // `offer × factor` has to fit 128 bits after the floor.
  const limit = divFloor(MAX_UINT128, factor)
  return {
    threshold: drainThreshold(rules, factor, size),
    cost: drainCost(rules, factor, size),
    pays: size,
    limit: limit < MAX_UINT128 ? limit : MAX_UINT128,
  }
}

function levelDrain({ factor, size }: Pick<LevelPart, 'factor' | 'size'>): PartDrain | undefined {
  if (factor === 0n) return undefined
  const cost = levelCost(factor, size)
  if (!levelCostFits(cost)) return undefined
  const threshold = levelThreshold(factor, size, cost)
  return {
    threshold: threshold > 0n ? threshold : 1n,
    cost,
    pays: size,
    limit: levelOfferLimit(factor),
  }
}

const paysOf = (parts: readonly PartDrain[]): bigint =>
  parts.reduce((sum, part) => sum + part.pays, 0n)

/** The least offer that drains the one pool, or both pools of a group. */
function sharedByPools(pools: readonly PartDrain[]): bigint | undefined {
  const [first, second] = pools
  if (first === undefined || second === undefined) return first?.threshold
  return sharedByTwo(first.threshold, first.pays, second.threshold, second.pays)
}

/** `a` gets `floor(offer × pays_a ÷ total)`, `b` the rest: the least offer that gives both enough. */
function sharedByTwo(needA: bigint, paysA: bigint, needB: bigint, paysB: bigint): bigint {
  const total = paysA + paysB
  const forA = ceilDiv(needA * total, paysA)
  const forB = ((needB - 1n) * total) / paysB + 1n
  return forA > forB ? forA : forB
}

/** The makers of a group each get their floored share; a single one gets all. */
function sharedByLevels(levels: readonly PartDrain[]): bigint | undefined {
  const total = paysOf(levels)
  if (levels.length === 1) return levels[0]!.threshold
  return levels.reduce<bigint | undefined>((most, { threshold, pays }) => {
    const least = ceilDiv(threshold * total, pays)
    return most === undefined || least > most ? least : most
  }, undefined)
}
