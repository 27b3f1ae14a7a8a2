import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** What a bundle has in place of parts of packages that the program never reaches: kB are gzip. */
const replacements = [
  // An import of the module opens standard input and standard error of every start.
  { module: /^(node:)?process$/, contents: 'module.exports = globalThis.process' },
  // No command is an executable file of its own.
  {
    module: /^node:child_process$/,
    importer: /[\\/]commander[\\/]/,
    contents: 'module.exports = {}',
  },
  // Where DEV is set, ink would look for a debugger and a file of its package, which are not shipped.
  {
    module: /^\.\/utils\.js$/,
    importer: /[\\/]ink[\\/]build[\\/]/,
    contents: 'export const isDev = () => false',
  },
  { module: /^react-devtools-core$/, contents: 'export default {}' },
  // Where CI is set, ink would hide what is typed at a question. What is watched is lines there (`whyUndrawable`).
  { module: /^is-in-ci$/, contents: 'export default false' },
  // The MCP server validates with ajv only the answers to questions of its own, and asks none: 60 kB.
  {
    module: /^@modelcontextprotocol\/server\/_shims$/,
    contents:
      "export class DefaultJsonSchemaValidator {}\nexport { default as process } from 'node:process'",
  },
  // Routes of the service declare no schemas, for which Fastify would compile functions: 90 kB.
  {
    module: /^@fastify\/(ajv-compiler|fast-json-stringify-compiler)$/,
    contents: "module.exports = () => () => { throw new Error('a route has a schema') }",
  },
  // The framework's own log is off: 20 kB.
  { module: /^pino$/, contents: 'module.exports = { symbols: {}, stdSerializers: {} }' },
  // Requests without a socket are those of tests: 10 kB.
  { module: /^light-my-request$/, contents: 'module.exports = undefined' },
  // Keys are of secp256k1, and CosmJS encrypts nothing: 12 kB in each of two files.
  { module: /^@noble\/curves\/ed25519\.js$/, contents: 'module.exports = {}' },
  { module: /^@noble\/ciphers\/chacha\.js$/, contents: 'module.exports = {}' },
  // Versions are pinned, and no path has a pattern: 12 kB.
  {
    module: /^semver$/,
    contents: 'module.exports = { satisfies: () => true, gt: () => false, coerce: String }',
  },
  { module: /^safe-regex2$/, contents: 'module.exports = () => true' },
  // The client of PostgreSQL in C is a package of its own, which is not there: 2 kB.
  {
    module: /^\.\/native$/,
    importer: /[\\/]pg[\\/]lib[\\/]/,
    contents: 'module.exports = {}',
  },
  // Only exemplars of metrics need it, and they are off: 10 kB.
  { module: /^@opentelemetry\/api$/, contents: 'module.exports = {}' },
]

/** Parts of CommonJS packages, of which an import would bundle the whole. */
const parts = {
  // Of its hashes only Argon2, for key files of CosmJS: 60 kB in each of two files.
  'hash-wasm': 'hash-wasm/dist/argon2.umd.min.js',
}

/** Leaves out parts of packages that are never reached. */
export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    for (const [at, { module, importer, contents }] of replacements.entries()) {
      const namespace = `lean-${at}`
      onResolve({ filter: module }, (found) =>
        importer === undefined || importer.test(found.importer)
          ? { path: found.path, namespace }
          : undefined,
      )
      onLoad({ filter: /.*/, namespace }, () => ({ contents, loader: 'js' }))
    }
    for (const [name, file] of Object.entries(parts))
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: resolve('node_modules', file),
      }))
  },
}

/**
 * Reads the generated CommonJS of cosmjs-types as the ES modules that it was compiled from, so that messages
 * which are never used are left out: 70 kB.
 */
export const protobufModules = {
  name: 'protobuf-modules',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]cosmjs-types[\\/].*\.js$/ }, ({ path }) => {
      const contents = asModule(readFileSync(path, 'utf8'))
      if (/\bexports\b|\brequire\(/.test(contents))
        throw new Error(`${path} was compiled in another way`)
      return { contents, loader: 'js' }
    })
  },
}

const asModule = (text) =>
  text
    .replaceAll(/^("use strict"|Object\.defineProperty\(exports, "__esModule".*\));$/gm, '')
    .replaceAll(/^exports\.(\w+ = exports\.)*\w+ = void 0;$/gm, '')
    .replaceAll(/^const (\w+) = require\((".*")\);$/gm, 'import * as $1 from $2;')
    .replaceAll(/\((\w+) \|\| \(exports\.\1 = \1 = \{\}\)\);/g, '($1 ||= {});\nexport { $1 };')
    .replaceAll(/^exports\.(\w+) = \1;$/gm, 'export { $1 };')
    .replaceAll(/^exports\.(\w+) = /gm, 'export const $1 = ')
    .replaceAll(/\bexports\.(\w+)/g, '$1')

const WASM = /"(data:application\/octet-stream;base64,)?([A-Za-z0-9+/=]{1000,})"/g

/**
 * The layout engine of Ink and Argon2 are WebAssembly in base64, which the tarball's gzip hardly compresses: 14 kB, and 3
 * in each of two files.
 */
export const compressedWasm = {
  name: 'compressed-wasm',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](yoga-wasm-base64-esm|argon2\.umd\.min)\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replaceAll(WASM, (_, scheme = '', base64) => {
        const small = brotliCompressSync(Buffer.from(base64, 'base64')).toString('base64')
        const zlib = 'process.getBuiltinModule("node:zlib")'
        const unpacked = `${zlib}.brotliDecompressSync(Buffer.from("${small}","base64")).toString("base64")`
        return `"${scheme}" + ${unpacked}`
      })
      if (contents === text) throw new Error(`${path} holds its code in another way`)
      return { contents }
    })
  },
}

const SEGMENTER = /const (\w+) = new Intl\.Segmenter\((.*)\);/
const EMOJI = /const (\w+) = (\/\^\\p\{RGI_Emoji\}\$\/v);/

/** A segmenter and the pattern of all emoji take half of bare Node's start: only a text that needs them pays. */
export const lateUnicode = {
  name: 'late-unicode',
  setup({ onLoad }) {
    const filter = /[\\/](string-width[\\/]index|tokenize|tokenize-ansi)\.js$/
    onLoad({ filter }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('Segmenter')) return undefined
      if (!SEGMENTER.test(text)) throw new Error(`${path} makes its segmenter in another way`)
      const contents = text
        .replace(
          SEGMENTER,
          'let late$1; const $1 = { segment: (text) => (late$1 ??= new Intl.Segmenter($2)).segment(text) };',
        )
        .replace(EMOJI, 'let late$1; const $1 = { test: (text) => (late$1 ??= $2).test(text) };')
      return { contents, loader: 'js' }
    })
  },
}

/** The SDK of MCP builds some 700 schemas, of which a message needs ten: half of what it takes to load. */
export const lazySchemas = {
  name: 'lazy-schemas',
  setup({ onResolve }) {
    const path = resolve('packaging/lazy-zod.mjs')
    onResolve({ filter: /^zod\/v4$/ }, ({ importer }) => (importer === path ? undefined : { path }))
  },
}
