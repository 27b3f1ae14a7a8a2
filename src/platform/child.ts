import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Arguments for `process.execPath` that run another entry of this program. The build puts the entry
 * beside the bundle; from source it is loaded through tsx.
 *
 * @param entry name of the built file
 * @param source where it is in the source
 */
export function entryArguments(entry: string, source: URL): readonly string[] {
  for (const place of [`../${entry}`, `./${entry}`]) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return [path]
  }
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href, fileURLToPath(source)]
}
