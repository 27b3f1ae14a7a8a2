import type { Ran, SqlValue } from './handle.js'

/** SQLite of Node itself, or its WASM build. They must not share a file at the same time. */
export type DriverName = 'native' | 'wasm'

/** The start parameters of the thread. */
export type ThreadOrder = {
  readonly path: string
  readonly driver: DriverName
  /** The file that records that this process has the database open. */
  readonly own: string
}

/** Without `sql`: close the file and end. */
export type Ask = {
  readonly id: number
  readonly sql?: string
  readonly values?: readonly SqlValue[]
}

/** The first reply, with id 0, says whether the file could be opened. */
export type Reply = { readonly id: number; readonly ran?: Ran; readonly error?: string }
