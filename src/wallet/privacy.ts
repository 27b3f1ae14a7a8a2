import { writeFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { invalidRequest } from '../engine/errors.js'
import { attempt } from '../platform/attempt.js'

/** Flags of Node that write its memory or environment to a file. */
const DUMP_FLAGS = /^--(heapsnapshot-(signal|near-heap-limit)|abort-on-uncaught-exception)\b/

/**
 * To be called before a secret is in memory. Refuses if a debugger is attached or dumps are enabled, ignores
 * the signal that starts the debugger, and on Linux excludes the memory of this process from core
 * dumps. It does not protect against other means of the same user, such as ptrace.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function keepPrivate(): void {
  refuseDebuggers()
  if (process.platform === 'win32') return
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => {})
  if (process.platform !== 'linux') return
  // The mask of memory that a core dump includes, see core(5): none. Some sandboxes have no such file; then the core
  // limit of the shell applies.
  attempt(() => writeFileSync('/proc/self/coredump_filter', '0'))
}

function refuseDebuggers(): void {
  if (inspector.url() !== undefined)
    throw invalidRequest('no key is opened while a debugger can look on', '', {
      why: 'this process was started with --inspect',
      hint: 'run it without --inspect, also in NODE_OPTIONS',
    })
  // Node takes `_` for `-` in the name of a flag, and quotes in its variable.
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)].map(
    (flag) => flag.replaceAll(/["\\]/g, '').replaceAll('_', '-'),
  )
  const { reportOnFatalError, reportOnSignal, reportOnUncaughtException } = process.report
  const reports = reportOnFatalError || reportOnSignal || reportOnUncaughtException
  const telling =
    flags.find((flag) => DUMP_FLAGS.test(flag)) ?? (reports ? '--report-on-…' : undefined)
  if (telling === undefined) return
  throw invalidRequest('no key is opened while Node is configured to write memory reports', '', {
    why: `this process was started with ${telling.split('=')[0]}`,
    hint: 'run it without that, also in NODE_OPTIONS',
  })
}
