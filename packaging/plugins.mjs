import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** What a bundle has in place of parts of packages that the program never reaches: kB are gzip. */
const replacements = [
  // Ink looks for a debugger, which is not shipped.
  { module: /^react-devtools-core$/, contents: 'export default {}' },
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
    for (const [at, { module, contents }] of replacements.entries()) {
      const namespace = `lean-${at}`
      onResolve({ filter: module }, ({ path }) => ({ path, namespace }))
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

const WASM = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/

/** The layout engine of Ink is WebAssembly in base64, which the tarball's gzip hardly compresses: 14 kB. */
export const compressedWasm = {
  name: 'compressed-wasm',
  setup({ onLoad }) {
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const [, base64] = WASM.exec(text) ?? []
      if (base64 === undefined) throw new Error(`${path} holds its code in another way`)
      const small = brotliCompressSync(Buffer.from(base64, 'base64')).toString('base64')
      const unpacked = `brotliDecompressSync(Buffer.from("${small}","base64")).toString("base64")`
      const contents = text.replace(
        WASM,
        () => `"data:application/octet-stream;base64," + ${unpacked}`,
      )
      return { contents: `import { brotliDecompressSync } from 'node:zlib'\n${contents}` }
    })
  },
}

/** The pattern of all emoji takes a quarter of bare Node's start to compile: only a text that needs it pays. */
const EMOJI = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;'
const LATE_EMOJI =
  'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= /^\\p{RGI_Emoji}$/v).test(text) };'
export const lateEmoji = {
  name: 'late-emoji',
  setup({ onLoad }) {
    const file = resolve('node_modules/string-width/index.js')
    onLoad({ filter: /string-width[\\/]index\.js$/ }, ({ path }) => {
      if (path !== file) return undefined
      const text = readFileSync(path, 'utf8')
      if (!text.includes(EMOJI)) throw new Error(`${path} has another pattern of emoji`)
      return { contents: text.replace(EMOJI, () => LATE_EMOJI), loader: 'js' }
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
