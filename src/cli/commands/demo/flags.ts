import { checkedFlag, durationFlag, wholeFlag } from '../../flags/checked-flag.js'

const SEEDS = [0, 4_294_967_295] as const

/** Of the RPC; REST takes the port after it. */
export const portFlag = wholeFlag('--port <n>', 'of the RPC, REST takes the next', [0, 65_534], {
  fallback: '26657 and 1317; 0 takes any',
})
export const blockTimeFlag = durationFlag(
  '--block-time <2s>',
  'between two blocks',
  [50, 600_000],
  {
    fallback: '2s',
  },
)
export const seedFlag = wholeFlag('--seed <n>', 'of the market and its traders', SEEDS, {
  fallback: '1',
})
export const dialectFlag = checkedFlag('--dialect <name>', {
  description: 'Of the router',
  enum: ['forward', 'stack'],
})
export const routerBuildFlag = checkedFlag('--router-build <name>', {
  description: 'Of the router; published rounds affiliate fees up',
  enum: ['source', 'published'],
})
export const faultTimeFlag = durationFlag('--for <30s>', 'how long', [1, 86_400_000], {
  fallback: 'until it is switched off',
})
export const faultSeedFlag = wholeFlag('--seed <n>', 'of the choices that the fault makes', SEEDS)
export const linesFlag = wholeFlag('--lines <n>', 'lines of the log to show', [0, 1_000_000], {
  usual: 20,
})
