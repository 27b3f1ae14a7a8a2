import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

/** CommonJS packages inside an ESM bundle still call require for Node's own modules. */
export const requireBanner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/**
 * Rewrites the output of a splitting build so that chunks which are always loaded together are one
 * file. Each group holds the given source files, which are entries or imported dynamically, with all
 * they import statically and no earlier group holds. Other chunks import from the groups' files; a
 * chunk of a group that is imported dynamically stays as a file that only re-exports. The chunks of
 * `alone`, any source files, stay outside with all that they import: what a start needs without a group.
 */
export async function mergeChunks({ outputs }, { from, to, groups, alone }) {
  const chunkOf = (source) =>
    Object.keys(outputs).find((path) => outputs[path].entryPoint === source) ??
    fail(`${source} is no entry`)
  const closure = (path, seen = new Set()) => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) closure(next, seen)
    return seen
  }
  const holderOf = (source) =>
    Object.keys(outputs).find((path) => source in outputs[path].inputs) ??
    fail(`${source} is in no chunk`)
  const groupOf = new Map(
    alone
      .flatMap((source) => [...closure(holderOf(source))])
      .map((path) => [resolve(path), undefined]),
  )
  for (const [group, sources] of Object.entries(groups))
    for (const path of sources.flatMap((source) => [...closure(chunkOf(source))]))
      if (!groupOf.has(resolve(path))) groupOf.set(resolve(path), group)
  const nameOf = (path) => relative(from, path)
  const chunkNames = Object.keys(outputs).map(nameOf)
  /** Short, since every name between files has it: with names of chunks in them the tarball is 1 % larger. */
  const keyOf = (path) => `c${chunkNames.indexOf(nameOf(path)).toString(36)}`
  const exportsOf = (path) => outputs[relative('.', path)].exports
  const members = (group) => [...groupOf].flatMap(([path, own]) => (own === group ? path : []))
  /** Re-exports a chunk of a group from the group's file under its own names. */
  const forwarding = (path, file) => {
    const names = exportsOf(path).map((name) => `${keyOf(path)}_${name} as ${name}`)
    return `export{${names.join()}}from${JSON.stringify(file)}\n`
  }
  const between = (folder, target) => {
    const path = relative(folder, target)
    return path.startsWith('.') ? path : `./${path}`
  }
  const fileOf = (group) => resolve(from, 'chunks', `${group}.js`)
  for (const group of Object.keys(groups)) {
    const lines = members(group).map((path) => {
      const names = exportsOf(path).map((name) => `${name} as ${keyOf(path)}_${name}`)
      return `export{${names.join()}}from${JSON.stringify(between(dirname(fileOf(group)), path))}\n`
    })
    writeFileSync(fileOf(group), lines.join(''))
  }
  const ownGroup = (path) =>
    Object.keys(groups).find((group) => fileOf(group) === path) ?? groupOf.get(path)
  const linking = {
    name: 'linking',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, importer, resolveDir, kind, namespace }) => {
        if (kind === 'entry-point') return undefined
        if (namespace === 'forwarding') return { path, external: true }
        const target = resolve(resolveDir, path)
        const group = groupOf.get(target)
        const isStatic = kind === 'import-statement'
        if (isStatic && group !== undefined) {
          if (ownGroup(importer) === group) return { path: target }
          const file = between(dirname(importer), fileOf(group))
          return {
            path: file,
            namespace: 'forwarding',
            pluginData: target,
            suffix: `?${keyOf(target)}`,
          }
        }
        return { path: between(dirname(importer), target), external: true }
      })
      onLoad({ filter: /.*/, namespace: 'forwarding' }, ({ path, pluginData }) => ({
        contents: forwarding(pluginData, path),
      }))
    },
  }
  const others = Object.keys(outputs).filter(
    (path) => path.endsWith('.js') && groupOf.get(resolve(path)) === undefined,
  )
  await build({
    entryPoints: [...others, ...Object.keys(groups).map(fileOf)],
    outdir: to,
    outbase: from,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    sourcemap: 'linked',
    legalComments: 'none',
    plugins: [linking],
    logLevel: 'warning',
  })
  // A chunk of a group that is imported dynamically.
  for (const [path, group] of groupOf)
    if (group !== undefined && outputs[relative('.', path)].entryPoint !== undefined)
      writeFileSync(join(to, nameOf(path)), forwarding(path, between(dirname(path), fileOf(group))))
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.js')) addRequire(join(to, file))
}

/** Puts the banner above a file that calls require; its source map begins a line later. */
function addRequire(path) {
  const text = readFileSync(path, 'utf8')
  if (!/\brequire\b/.test(text)) return
  writeFileSync(path, `${requireBanner}\n${text}`)
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
}

function fail(message) {
  throw new Error(message)
}
