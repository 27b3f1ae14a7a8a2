import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { temporaryFolder } from './folder.js'

/** Writes down the files that a Node process loads, by `--import` of `register`. */
export function loadedFiles(): { readonly register: string; read(): readonly string[] } {
  const folder = temporaryFolder()
  const [hooks, log, preload] = ['hooks.mjs', 'loaded', 'preload.mjs'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  writeFileSync(log, '')
  const append = `appendFileSync(${JSON.stringify(log)}, url + '\\n')`
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  ${append}
  return next(url, context)
}
`,
  )
  // CommonJS files pass the hooks of modules by.
  writeFileSync(
    preload,
    `import { appendFileSync } from 'node:fs'
import module from 'node:module'
import { pathToFileURL } from 'node:url'
module.register(${JSON.stringify(`${pathToFileURL(hooks)}`)})
const { load } = module.prototype
module.prototype.load = function (file) {
  const url = pathToFileURL(file)
  ${append}
  return load.call(this, file)
}
`,
  )
  return {
    register: `${pathToFileURL(preload)}`,
    read: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((url) => url.startsWith('file:'))
        .map((url) => fileURLToPath(url)),
  }
}
