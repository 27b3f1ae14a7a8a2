import type { Block } from '../blocks/block.js'
import { emptyReply } from '../node/reply.js'
import type { Fault, FaultKind } from './fault.js'

/** Faults of web sockets. */
export const socketFaults: readonly FaultKind[] = [
  {
    kind: 'ws-silent',
    group: 'socket',
    does: 'sockets stay open and say nothing of new blocks',
    sees: 'polling continues; the socket is reopened',
    effect: { at: 'socket' },
  },
  {
    kind: 'ws-flood',
    group: 'socket',
    does: 'each block is announced many times',
    sees: 'polling continues; no block is counted twice',
    number: { meaning: 'times', fallback: 500, least: 2, most: 100_000 },
    effect: { at: 'socket' },
  },
  {
    kind: 'ws-refuse',
    group: 'socket',
    does: 'sockets are closed at the first word',
    sees: 'polling continues',
    effect: {
      at: 'answer',
      answer: async () => ({ ...emptyReply(503), send: 'reset' }),
      fits: ({ exchange }) => exchange.endpoint === 'ws',
    },
  },
]

/** A subscriber that receives blocks as the active faults allow. */
export const faultySubscriber =
  (listener: (block: Block) => void, faults: () => readonly Fault[]): ((block: Block) => void) =>
  (block) => {
    const active = faults()
    if (active.some(({ kind }) => kind === 'ws-silent' || kind === 'stale')) return
    const times = active.find(({ kind }) => kind === 'ws-flood')?.n ?? 1
    for (let time = 0; time < times; time++) listener(block)
  }
