import { firstDemoMarket } from '../demo-chain/index.js'
import { type PreparedSides, prepareSides } from '../engine/snapshot/prepared.js'

/** Search data of the demo market's sides, which the build writes into the market's document. */
export const demoSides = async (): Promise<PreparedSides> => prepareSides(await firstDemoMarket())
