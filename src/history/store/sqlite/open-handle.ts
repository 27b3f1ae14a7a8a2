import type { Handle } from './handle.js'
import type { ThreadOrder } from './messages.js'
import { openNative } from './native.js'
import { openWasm } from './wasm.js'

/** Opens a file with the given driver, on this thread. */
export const openHandle = ({ driver, path, own }: ThreadOrder): Handle =>
  driver === 'native' ? openNative(path) : openWasm(path, own)
