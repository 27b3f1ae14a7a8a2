import type { QueryDenomMetadataResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'

/** What the bank knows of a denom. */
export type DenomMetadata = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

const MOST_DECIMALS = 38

/**
 * The bank's metadata of a denom. Decimals are the exponent of the display unit; where that is the
 * base denom itself, the largest exponent there is.
 *
 * @throws MalformedDocument
 */
export function decodeMetadata({ metadata }: QueryDenomMetadataResponse): DenomMetadata {
  const { base, display, denomUnits, symbol, name } = metadata
  const shown = display === base ? undefined : denomUnits.find(({ denom }) => denom === display)
  const decimals = shown?.exponent ?? Math.max(0, ...denomUnits.map(({ exponent }) => exponent))
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS)
    throw new MalformedDocument(
      '/metadata/denom_units',
      `must have at most ${MOST_DECIMALS} decimals`,
    )
  return { symbol, name, decimals }
}
