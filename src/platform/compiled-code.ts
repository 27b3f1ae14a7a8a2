import { existsSync, readFileSync } from 'node:fs'
import Module from 'node:module'
import { basename, dirname, join } from 'node:path'
import vm from 'node:vm'

/** A CommonJS module as Node's loader knows it. */
type CommonJs = {
  readonly exports: unknown
  require(id: string): unknown
  _compile(content: string, filename: string): unknown
}

/** Where a built program keeps code that this version of V8 can take, a file `NAME.code` for each of its `chunks`. */
export const compiledCodeFolder = (dist: string) =>
  join(dist, 'code', `${process.versions.v8}-${process.arch}`)

/**
 * Lets the chunks of the program take the code that V8 compiled when it was built, with the functions that usual
 * calls run: a third of what a quote takes over bare Node. Where there is none, they are compiled as ever, and V8
 * refuses code that does not fit. Chunks with compiled code cannot call `import()`.
 *
 * @param dist the folder of the built program
 * @param onCompiled is called with each script, by the build, which compiles all
 */
export function takeCompiledCode(
  dist: string,
  onCompiled?: (name: string, script: vm.Script) => void,
): void {
  const [chunks, folder] = [join(dist, 'chunks'), compiledCodeFolder(dist)]
  if (onCompiled === undefined && !existsSync(folder)) return
  const { prototype } = Module as unknown as { readonly prototype: CommonJs }
  const compile = prototype._compile
  prototype._compile = function (content, filename) {
    const name = basename(filename)
    const isChunk = dirname(filename) === chunks
    const cachedData = isChunk ? codeOf(join(folder, `${name}.code`)) : undefined
    if (!isChunk || (cachedData === undefined && onCompiled === undefined))
      return compile.call(this, content, filename)
    const script = new vm.Script(Module.wrap(content), {
      filename,
      ...(cachedData && { cachedData }),
    })
    onCompiled?.(name, script)
    const require = (id: string) => this.require(id)
    const { exports } = this
    return script
      .runInThisContext()
      .call(exports, exports, require, this, filename, dirname(filename))
  }
}

function codeOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
