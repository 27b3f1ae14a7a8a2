import type { Config } from '../../../config/load.js'
import { demoChainId } from '../../../config/network.js'

/** Whether the network that is meant is the one that the built-in key belongs to. */
export const isBuiltInHere = ({ network }: Config): boolean => network.chainId === demoChainId
