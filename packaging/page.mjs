import { cpSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'

/** The page of the service: its document, and what it loads: styles, its script, and the engine in a worker. */
export async function buildPage(outdir) {
  // The page asks for no recipient, no automatic slippage, no explanation, no given path or legs and no contract, and
  // writes no decimal that needs a library.
  const unused =
    /operations\/(address|route\/(confirm-routes|direct-order|explain|given-path|verify)|slippage\/(choose-slippage|replay-path)|split\/(confirm-split|explain-split|given-legs))\.ts$/
  const lighter = {
    name: 'lighter',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: unused }, ({ path }) => {
        const exported = /^export (?:async )?(?:function|const) (\w+)/gm
        const names = [...readFileSync(path, 'utf8').matchAll(exported)].map(([, name]) => name)
        const contents = names.map(
          (name) => `export const ${name} = () => { throw new Error('the page has no ${name}') }`,
        )
        return { contents: contents.join('\n') }
      })
      onResolve({ filter: /^bignumber\.js$/ }, ({ path }) => ({
        path: resolve(`node_modules/${path}/dist/bignumber.mjs`),
        sideEffects: false,
      }))
    },
  }
  const built = await build({
    outdir,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'eof',
    plugins: [lighter],
    entryPoints: {
      page: 'src/page/page.ts',
      'quote-worker': 'src/page/worker.ts',
    },
    logLevel: 'warning',
  })
  const styles = { entryPoints: ['src/page/page.css'], outdir, minify: true, logLevel: 'warning' }
  await build(styles)
  cpSync('src/page/index.html', `${outdir}/index.html`)
  return built
}
