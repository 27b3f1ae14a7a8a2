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

/** Where code is kept that this version of V8 can take. */
export const compiledCodeFolder = (parent: string) =>
  join(parent, `${process.versions.v8}-${process.arch}`)

/**
 * Lets CommonJS files take the code that V8 compiled when the program was built, with the functions that its usual
 * calls run: a third of what a quote takes over bare Node. Where there is none, files are compiled as ever, and V8
 * refuses code that does not fit. Files with compiled code cannot call `import()`.
 *
 * @param parent holds the compiled code, a file `NAME.code` for each file `NAME`
 * @param onCompiled is called with each script, by the build, which compiles all
 */
export function takeCompiledCode(
  parent: string,
  onCompiled?: (name: string, script: vm.Script) => void,
): void {
  const folder = compiledCodeFolder(parent)
  if (onCompiled === undefined && !existsSync(folder)) return
  const { prototype } = Module as unknown as { readonly prototype: CommonJs }
  const compile = prototype._compile
  prototype._compile = function (content, filename) {
    const name = basename(filename)
    const cachedData = codeOf(join(folder, `${name}.code`))
    if (cachedData === undefined && onCompiled === undefined)
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
