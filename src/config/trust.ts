import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SwapError } from '../engine/errors.js'
import { attempt } from '../platform/attempt.js'
import {
  hasModes,
  isForeign,
  isWritableByOthers,
  letsOthersReplace,
  modeOf,
} from '../platform/file-owner.js'

/**
 * Why others than its owner could change a configuration file; `undefined` if they cannot, or if it does not exist.
 */
export function changeableBecause(path: string): string | undefined {
  const file = hasModes ? statOf(path) : undefined
  if (file === undefined || !file.isFile()) return undefined
  if (isForeign(file)) return 'it belongs to another user'
  if (isWritableByOthers(file)) return `its mode is ${modeOf(file)}`
  const folder = statOf(dirname(path))
  if (folder === undefined) return undefined
  if (isForeign(folder)) return 'the directory that holds it belongs to another user'
  return letsOthersReplace(folder)
    ? `the mode of the directory that holds it is ${modeOf(folder)}`
    : undefined
}

const statOf = (path: string): Stats | undefined =>
  attempt(() => statSync(path, { throwIfNoEntry: false }))

/** An alias, a market or fewer hops that a project's file sets. */
export type ProjectOverride = {
  readonly key: string
  readonly file: string
  readonly line: number | null
}

/** A note for stderr; `undefined` without overrides. */
export function overrideNote(
  overrides: readonly ProjectOverride[],
  display: (path: string) => string,
): string | undefined {
  const [first] = overrides
  if (first === undefined) return undefined
  const keys = overrides.map(({ key, line }) => `${key} (line ${line})`).join(', ')
  return `${display(first.file)} sets ${keys}: quotes here use that, and nothing is signed with it`
}

/**
 * Refuses to sign if a project's file, which is not trusted, determines the traded tokens, the market or the paths.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function requireOwnConfig(overrides: readonly ProjectOverride[]): void {
  const [first] = overrides
  if (first === undefined) return
  const keys = overrides.map(({ key }) => key).join(', ')
  throw new SwapError('INVALID_REQUEST', `nothing is signed with the ${keys} of a project`, {
    why: `${first.file}:${first.line} sets ${first.key}, which decides what is traded, or how`,
    hint: 'set it in ~/.swaprc if you want it, run the command in another directory, or ignore the file: --config ~/.swaprc',
    members: {
      errors: overrides.map(({ key }) => ({ pointer: '', detail: `${key} is set by a project` })),
    },
  })
}
