import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'

let held = false

/** Keeps the place for young garbage as large as it is. */
const holdYoung = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/**
 * Sets V8 up for a service, which answers for weeks, in moments, beside others on the same cores:
 *
 * - Young garbage is collected by the thread that made it. Helpers make a collection shorter only while
 *   a core is free for each of them; under load all wait for the one that has none, five to ten
 *   milliseconds instead of less than one.
 * - Its place stays at what it has grown to while the program was loaded, 8 MiB of the 32 that V8 would
 *   take in time (before Node 24). A quote leaves nothing there: in more of it collections are rarer, and longer.
 * - Threads have 4 MiB for it from the start, instead of one: most of what a block leaves is garbage before it
 *   would be copied. A service without requests takes an eighth less of a core for 5 MiB more.
 * - Lasting things are collected when there are half as many again, not four times as many: each block
 *   makes those of the one before garbage, which is little and quickly collected.
 * - Nothing is made among lasting things at once. What a market keeps and what a quote throws away is
 *   made at the same places of the code; V8 takes such a place for one of lasting things after a quiet
 *   time, and every quote would leave 14 kB behind.
 * - On Node 20, code is optimised once it has run three times as much as V8 waits for: otherwise the code of a block is
 *   optimised anew for an hour, which costs more than the blocks gain. Newer versions of V8 have no such flag, and print
 *   an error for one that they do not know.
 * - WASM is compiled once. To optimise SQLite's takes 30 MiB that are not given back, and makes no
 *   answer quicker by as much as can be measured.
 */
export function setUpForService(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--min-semi-space-size=4')
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--no-allocation-site-pretenuring')
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=400000')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
  held = true
  holdYoung()
}

/** Older versions of V8 let young garbage grow again whenever a thread is made. */
export function holdYoungBeside(thread: Worker): void {
  if (held) thread.once('online', holdYoung)
}
