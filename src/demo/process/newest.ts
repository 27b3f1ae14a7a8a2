import { statSync } from 'node:fs'
import { viewStateFile } from '../blocks/restore.js'
import { documentOf } from '../genesis/document.js'

/** The market document of a block, as text. */
export type NewestDocument = { readonly height: number; readonly text: string }

/**
 * A reader of a chain's state file for somebody who looks often: the file is read only when it is
 * another one than at the last look. It answers nothing while the newest block is still `after`, or
 * while there is no file.
 */
export function readNewest(path: string): (after?: number) => NewestDocument | undefined {
  let last = ''
  return (after) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    const mark = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (mark === last) return undefined
    const chain = viewStateFile(path)
    last = mark
    if (chain === undefined || chain.height === after) return undefined
    return { height: chain.height, text: JSON.stringify(documentOf(chain)) }
  }
}
