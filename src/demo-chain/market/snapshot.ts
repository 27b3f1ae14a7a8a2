import { generateMarket } from './generate.js'

/** The seed of the market that is shipped. */
export const DEMO_SEED = 1

/**
 * The snapshot document of the demo market. It holds pools and makers, from which everything follows;
 * a `book` is written by whoever saves it.
 */
export const demoSnapshot = (seed: number): object => generateMarket(seed)
