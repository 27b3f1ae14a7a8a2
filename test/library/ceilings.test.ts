import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, test } from 'vitest'

/** Entries that a program imports together, and bytes of their bundle at most: minified, gzip. */
const CEILINGS = [
  [['client'], 2_000],
  [['engine'], 20_500],
  [['engine', 'splits'], 36_000],
  [['engine', 'splits', 'sizes'], 41_000],
] as const

describe('a bundle of the library for browsers', () => {
  for (const [entries, most] of CEILINGS)
    test(`of ${entries.join(', ')} has at most ${most} bytes and no import`, async () => {
      const contents = entries.map((name) => `export * from './src/library/${name}.ts'`).join('\n')
      const { outputFiles, metafile } = await build({
        stdin: { contents, resolveDir: '.' },
        bundle: true,
        metafile: true,
        format: 'esm',
        platform: 'browser',
        minify: true,
        write: false,
      })
      const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
      assert.ok(size <= most, `${size} bytes`)
      const foreign = Object.keys(metafile.inputs).filter((file) => file.includes('node_modules'))
      assert.deepEqual(foreign, [])
    })
})
