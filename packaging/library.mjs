// Builds the entries of the package that programs import: dist/library.
import { cpSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { documentTypes, schemaTypes } from './document-types.mjs'
import { protobufModules } from './plugins.mjs'

/** Entries with code; `schemas` is the other one. */
export const ENTRIES = ['client', 'engine', 'splits', 'sizes', 'chain']

/** Chain and engine run in browsers, where there is no Buffer. */
const webEncoding = {
  name: 'web-encoding',
  setup({ onResolve }) {
    const path = resolve('src/library/web-encoding.ts')
    onResolve({ filter: /platform\/encoding\.js$/ }, () => ({ path }))
  },
}

/**
 * @param outdir folder of the entries
 * @param options of every build of the program
 * @param schemas value of `src/library/schemas.ts`
 * @returns what esbuild says about the outputs
 */
export async function buildLibrary(outdir, { define }, schemas) {
  const { metafile } = await build({
    entryPoints: ENTRIES.map((name) => `src/library/${name}.ts`),
    outdir,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    // Nothing of Node can be imported by mistake.
    platform: 'browser',
    target: 'es2022',
    chunkNames: 'shared/[name]-[hash]',
    minify: true,
    plugins: [webEncoding, protobufModules],
    define,
    logLevel: 'warning',
  })
  writeFileSync(`${outdir}/schemas.js`, moduleOf('schemas', schemas))
  writeFileSync(`${outdir}/schemas.d.ts`, schemaTypes(schemas))
  writeFileSync(`${outdir}/documents.d.ts`, documentTypes(schemas))
  cpSync('packaging/types', outdir, { recursive: true })
  return metafile
}

/** A module that exports a value of JSON. Objects that occur several times in it are constants: a quarter of the size. */
function moduleOf(exported, value) {
  const counts = new Map()
  const count = (each) => {
    if (Object(each) !== each) return
    const text = JSON.stringify(each)
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    if (before === 0) for (const inner of Object.values(each)) count(inner)
  }
  count(value)
  const constants = new Map()
  const write = (each) => {
    const text = JSON.stringify(each)
    if (Object(each) !== each || constants.has(text)) return constants.get(text)?.name ?? text
    const entries = Object.entries(each).map(
      ([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`,
    )
    const written = Array.isArray(each) ? `[${each.map(write)}]` : `{${entries}}`
    if (counts.get(text) === 1) return written
    const name = `c${constants.size}`
    constants.set(text, { name, line: `const ${name}=${written}\n` })
    return name
  }
  const result = `export const ${exported} = ${write(value)}\n`
  return [...constants.values()].map(({ line }) => line).join('') + result
}
