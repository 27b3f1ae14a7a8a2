import { check } from './check.js'
import type { Check } from './doctor-answer.js'
import type { DoctorPort, NodeReport } from './doctor-port.js'

/** How far the clocks of this machine and of the chain may be apart, in seconds. */
const BEHIND_S = 5
/** Age in seconds from which on the newest block means a halted chain. */
const STANDING_S = 60
/** Blocks that a node may be behind another. */
const LATE = 2

const nameOf = (at: number): string => (at === 0 ? 'node' : `node ${at + 1}`)

/** One check per node: reachability, latency and sync status. */
export const nodeChecks = (nodes: readonly NodeReport[]): readonly Check[] =>
  nodes.map(({ endpoint, answer, fault }, at) => {
    const name = nameOf(at)
    if (answer === undefined)
      return check(name, 'fail', fault ?? `${endpoint} gives no answer`, {
        do: 'name another node with --rpc, or try again',
        data: { endpoint },
      })
    const { ms, height, catchingUp, chainId, version, earliest = null } = answer
    const data = { endpoint, ms, height, earliest, catching_up: catchingUp, chain_id: chainId }
    const message = `${endpoint} answers in ${ms} ms, height ${height}`
    if (catchingUp)
      return check(name, 'fail', `${message}, still catching up`, {
        why: 'what it answers is older than the chain',
        do: 'wait until it has caught up, or name another node',
        data,
      })
    return check(name, 'ok', `${message}, CometBFT ${version}`, { data })
  })

/** Whether several nodes are at about the same height and have the same block there. */
export async function agreementOf(
  port: DoctorPort,
  nodes: readonly NodeReport[],
): Promise<readonly Check[]> {
  const standing = nodes.flatMap(({ answer, endpoint }, at) =>
    answer === undefined || answer.chainId !== port.network.chainId
      ? []
      : [{ at, endpoint, height: answer.height }],
  )
  if (standing.length < 2) return []
  const heights = standing.map(({ height }) => height)
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)]
  const hashes = await port.hashes(lowest)
  const first = hashes[standing[0]!.at]
  return standing.slice(1).map(({ at, endpoint, height }) => {
    const name = nameOf(at)
    const hash = hashes[at]
    const data = { endpoint, height: lowest, hash: hash ?? null }
    if (hash === undefined || first === undefined)
      return check(name, 'note', `${endpoint} could not be compared at block ${lowest}`, { data })
    if (hash !== first)
      return check(name, 'fail', `${endpoint} has another block ${lowest} than the first node`, {
        why: 'one of them follows a fork, or is not of this chain',
        do: 'leave out the node that you do not trust',
        data,
      })
    const late = highest - height
    return late > LATE
      ? check(name, 'note', `${endpoint} has the same block, but is ${late} blocks behind`, {
          data,
        })
      : check(name, 'ok', `${endpoint} has the same block ${lowest}`, { data })
  })
}

/** This machine's clock against the newest block. */
export function clockOf(port: DoctorPort, nodes: readonly NodeReport[]): Check {
  if (!port.network.real) return check('clock', 'skip', 'the demo chain has a time of its own')
  const newest = Math.max(...nodes.flatMap(({ answer }) => answer?.time ?? []))
  const seconds = Math.round((port.now() - newest) / 1000)
  const data = { seconds }
  if (seconds < -BEHIND_S)
    return check('clock', 'fail', `this machine is ${-seconds} s behind the newest block`, {
      why: 'deadlines and ages are measured by it',
      do: 'set the clock, e.g. sudo timedatectl set-ntp true',
      data,
    })
  if (seconds > STANDING_S)
    return check('clock', 'fail', `the newest block is ${seconds} s old by this clock`, {
      why: 'the chain or its nodes are halted, or this clock is ahead',
      do: 'compare with another node; set the clock',
      data,
    })
  return check('clock', 'ok', `the newest block is ${seconds} s old`, { data })
}
