import type { Network } from '../../chain/networks/network.js'
import { type DemoFiles, demoProcess } from '../../demo-chain/index.js'
import { SwapError } from '../../engine/errors.js'
import { type NetworkWatch, type WatchOptions, watchNetwork } from './network-watch.js'

/**
 * Watches the demo chain wherever its process answers at the moment: one that comes back at other
 * ports is found there.
 */
export function watchDemo(
  network: Network,
  places: DemoFiles,
  options: WatchOptions,
): NetworkWatch {
  const listeners = new Set<() => void>()
  let [at, watch, unhint] = ['', undefined as NetworkWatch | undefined, () => {}]

  const letGo = (): void => {
    unhint()
    watch?.close()
    watch = undefined
    at = ''
  }
  const found = (): NetworkWatch => {
    const process = demoProcess(places)
    if (process === undefined) {
      letGo()
      throw notRunning()
    }
    const { rpc, rest, pid } = process
    if (watch !== undefined && at === `${pid} ${rpc}`) return watch
    letGo()
    at = `${pid} ${rpc}`
    watch = watchNetwork({ ...network, rpc: [rpc], rest: [rest] }, options)
    unhint = watch.hints(() => {
      for (const listener of listeners) listener()
    })
    return watch
  }
  return {
    look: async (after) => found().look(after),
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: letGo,
  }
}

const notRunning = (): SwapError =>
  new SwapError('UPSTREAM_ERROR', 'the demo chain does not run', {
    why: 'its process has ended',
    hint: 'start it again: swap demo start',
    members: { upstream: 'the demo chain' },
  })
