import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes a folder for one user's eyes only, unless it is there. */
export const ownFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/**
 * Puts a text in the place of a file so that it is there after a loss of power, whole or not at all:
 * written beside it, flushed, renamed, and the folder flushed.
 */
export function writeDurably(path: string, draft: string, text: string): void {
  const file = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameDurably(draft, path)
}

/** Gives a file another name in its folder, for good. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  flushFolder(dirname(to))
}

/** Names in a folder are flushed on their own; Windows has no such thing and needs none. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(join(folder), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
