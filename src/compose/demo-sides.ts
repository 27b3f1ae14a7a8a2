import { firstDemoMarket } from '../demo-chain/index.js'
import { type PreparedSides, prepareSides } from '../engine/snapshot/prepared.js'

/** What searches know of the sides of the demo market: the build writes it into the market's document. */
export const demoSides = async (): Promise<PreparedSides> => prepareSides(await firstDemoMarket())
