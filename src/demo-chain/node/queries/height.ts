import type { Reader } from '../../store/state.js'
import type { Machine } from '../../wasm/dispatch.js'
import { failures } from '../../wasm/failure.js'
import { refused } from './failure.js'
import type { Node } from './node.js'

/** What one query reads: the state after one height. */
export type View = {
  readonly node: Node
  readonly height: number
  readonly state: Reader
  readonly machine: Machine
}

/**
 * The state that a query asks for; height 0 is the newest.
 *
 * @throws QueryFailure for a height that is negative, in the future, pruned, or too early to prove.
 */
export function viewAt(node: Node, asked: bigint, prove: boolean): View {
  const { chain } = node
  if (asked < 0n)
    throw refused(
      failures.invalidRequest('cannot query with height < 0; please provide a valid height'),
    )
  if (asked > BigInt(chain.height))
    throw refused(
      failures.invalidHeight(
        'cannot query with height in the future; please provide a valid height',
      ),
    )
  const height = asked === 0n ? chain.height : Number(asked)
  if (height <= 1 && prove)
    throw refused(
      failures.invalidRequest(
        'cannot query with proof when height <= 1; please provide a valid height',
      ),
    )
  const state = chain.stateAt(height)
  if (!state)
    throw refused(
      failures.notFound(
        `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${chain.height})`,
      ),
    )
  return { node, height, state, machine: chain.machineAt(height) }
}
