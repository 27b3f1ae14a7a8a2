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
  writeFileSync(`${outdir}/schemas.js`, `export const schemas = ${JSON.stringify(schemas)}\n`)
  writeFileSync(`${outdir}/schemas.d.ts`, schemaTypes(schemas))
  writeFileSync(`${outdir}/documents.d.ts`, documentTypes(schemas))
  cpSync('packaging/types', outdir, { recursive: true })
  return metafile
}
