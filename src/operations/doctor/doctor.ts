import { SwapError } from '../../engine/errors.js'
import { counted } from '../../engine/math/counted.js'
import { MOST_APART_S } from '../../platform/clock.js'
import { reasonText, tradedTokens } from '../names.js'
import type { Check, DoctorAnswer } from './doctor-documents.js'
import { type ChainCheck, check, type DoctorPort, type NodeReport } from './doctor-port.js'

/**
 * Runs the requested checks. A failed check is reported and does not end the others.
 *
 * @param local checks that need no node
 */
export async function doctor(
  port: DoctorPort,
  names: readonly ChainCheck[],
  local: readonly Check[],
): Promise<DoctorAnswer> {
  const checks: Check[] = [...local]
  let nodes: readonly NodeReport[] = []
  let areRead = true
  if (names.some((name) => name !== 'demo'))
    try {
      nodes = await port.nodes()
    } catch (error) {
      areRead = false
      checks.push(failedCheck('node', error))
    }
  for (const name of names)
    if (areRead || name !== 'node') checks.push(...(await runCheck(name, port, nodes)))
  return {
    network: port.network.name,
    chain_id: port.network.chainId,
    checks,
    failed: checks.filter(({ status }) => status === 'fail').length,
    notes: checks.filter(({ status }) => status === 'note').length,
  }
}

const checks: Readonly<
  Record<ChainCheck, (port: DoctorPort, nodes: readonly NodeReport[]) => Promise<readonly Check[]>>
> = {
  node: async (port, nodes) => [...nodeChecks(nodes), ...(await agreementOf(port, nodes))],
  network: async (port, nodes) => networkChecks(port, nodes),
  clock: async (port, nodes) => [clockOf(port, nodes)],
  contract: contractChecks,
  market: marketChecks,
  demo: demoChecks,
}

async function runCheck(
  name: ChainCheck,
  port: DoctorPort,
  nodes: readonly NodeReport[],
): Promise<readonly Check[]> {
  const isSkipped = name !== 'node' && name !== 'demo' && answersOf(nodes).length === 0
  if (isSkipped) return [check(name, 'skip', 'not looked at: no node answers')]
  try {
    return await checks[name](port, nodes)
  } catch (error) {
    return [failedCheck(name, error)]
  }
}

/** Converts an error into a failed check. @throws the error if it is a bug */
function failedCheck(name: ChainCheck, error: unknown): Check {
  if (!(error instanceof SwapError)) throw error
  const { message, why = null, hint = null, code } = error
  return check(name, 'fail', message, { why, do: hint, data: { code } })
}

const answersOf = (nodes: readonly NodeReport[]) => nodes.flatMap(({ answer }) => answer ?? [])

function networkChecks({ network }: DoctorPort, nodes: readonly NodeReport[]): readonly Check[] {
  const others = answersOf(nodes).filter(({ chainId }) => chainId !== network.chainId)
  const data = { network: network.name, chain_id: network.chainId }
  const [other] = others
  if (other === undefined)
    return [check('network', 'ok', `chain id ${network.chainId}, as configured`, { data })]
  return [
    check('network', 'fail', `a node is of the chain ${other.chainId}, not ${network.chainId}`, {
      why: 'quotes from another chain are worth nothing here',
      do: 'correct rpc, or say -n with the network that is meant',
      data: { ...data, found: other.chainId },
    }),
  ]
}

async function contractChecks(port: DoctorPort): Promise<readonly Check[]> {
  if (port.network.router === undefined)
    return [
      check('contract', 'fail', 'the router contract of this network is not known', {
        why: 'no public file names one',
        do: 'set router.address in ~/.swaprc, or say --router-address',
      }),
    ]
  const [{ address, codeId, feeBps, affiliates }, { market }] = await Promise.all([
    port.router(),
    port.market(),
  ])
  const { dialect } = market.router
  const codes = counted(affiliates, 'affiliate code')
  return [
    check(
      'contract',
      'ok',
      `router ${address}, code ${codeId}, dialect ${dialect}, fee ${feeBps} bps, ${codes}`,
      { data: { router: address, code_id: `${codeId}`, dialect, fee_bps: feeBps, affiliates } },
    ),
  ]
}

async function marketChecks(port: DoctorPort): Promise<readonly Check[]> {
  const { market, reading } = await port.market()
  const cost =
    reading === undefined
      ? ''
      : `, read in ${reading.ms} ms with ${counted(reading.queries, 'query', 'queries')}`
  const tokens = tradedTokens(market).size
  const overall = check(
    'market',
    'ok',
    `${counted(market.books.size, 'pair')} and ${counted(tokens, 'token')} at block ${market.height}${cost}`,
    {
      data: {
        pairs: market.books.size,
        excluded: market.excluded.length,
        tokens,
        height: market.height,
        ms: reading?.ms ?? null,
      },
    },
  )
  const excluded = market.excluded.map(({ address, status, reason }) =>
    check('market', 'note', `${address} is left out of routes: ${reasonText(reason)}`, {
      data: { pair: address, status },
    }),
  )
  const fallbacks = (reading?.fallbacks ?? []).map(({ address, why }) =>
    check('market', 'note', `${address} is not read from its storage: ${why}`, {
      data: { pair: address },
    }),
  )
  return [overall, ...excluded, ...fallbacks]
}

async function demoChecks(port: DoctorPort): Promise<readonly Check[]> {
  const demo = await port.demo()
  if (demo === undefined) return [check('demo', 'skip', 'another network is used')]
  const { pid, rpc, faults } = demo
  const location =
    pid === undefined
      ? 'runs inside this command; no process'
      : `process ${pid} runs it at ${rpc ?? 'an unknown place'}`
  const data = { pid: pid ?? null, rpc: rpc ?? null, faults: faults.length }
  if (faults.length === 0) return [check('demo', 'ok', location, { data })]
  return [
    check('demo', 'note', `${location}; switched on: ${faults.join(', ')}`, {
      do: 'swap demo fail off',
      data,
    }),
  ]
}

/** Tolerated difference between the local clock and the chain's, in seconds. */
const CLOCK_BEHIND_S = 5
/** Tolerated lag of a node behind another, in blocks. */
const MOST_BLOCKS_BEHIND = 2

const nameOf = (at: number): string => (at === 0 ? 'node' : `node ${at + 1}`)

/** One check per node: reachability, latency and sync status. */
const nodeChecks = (nodes: readonly NodeReport[]): readonly Check[] =>
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

/** Whether nodes are at about the same height and have the same block there. */
async function agreementOf(
  port: DoctorPort,
  nodes: readonly NodeReport[],
): Promise<readonly Check[]> {
  const answered = nodes.flatMap(({ answer, endpoint }, at) =>
    answer === undefined || answer.chainId !== port.network.chainId
      ? []
      : [{ at, endpoint, height: answer.height }],
  )
  if (answered.length < 2) return []
  const heights = answered.map(({ height }) => height)
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)]
  const hashes = await port.hashes(lowest)
  const first = hashes[answered[0]!.at]
  return answered.slice(1).map(({ at, endpoint, height }) => {
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
    const lag = highest - height
    return lag > MOST_BLOCKS_BEHIND
      ? check(
          name,
          'note',
          `${endpoint} has the same block, but is ${counted(lag, 'block')} behind`,
          {
            data,
          },
        )
      : check(name, 'ok', `${endpoint} has the same block ${lowest}`, { data })
  })
}

/** This machine's clock against the newest block. */
function clockOf(port: DoctorPort, nodes: readonly NodeReport[]): Check {
  if (!port.network.real) return check('clock', 'skip', 'the demo chain has a time of its own')
  const newest = Math.max(...nodes.flatMap(({ answer }) => answer?.time ?? []))
  const seconds = Math.round((port.now() - newest) / 1000)
  const data = { seconds }
  if (seconds < -CLOCK_BEHIND_S)
    return check('clock', 'fail', `this machine is ${-seconds} s behind the newest block`, {
      why: 'deadlines and ages are measured by it',
      do: 'set the clock, e.g. sudo timedatectl set-ntp true',
      data,
    })
  if (seconds > MOST_APART_S)
    return check('clock', 'fail', `the newest block is ${seconds} s old by this clock`, {
      why: 'the chain or its nodes are halted, or this clock is ahead',
      do: 'compare with another node; set the clock',
      data,
    })
  return check('clock', 'ok', `the newest block is ${seconds} s old`, { data })
}
