import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import Module from 'node:module'
import { basename, dirname, join } from 'node:path'
import vm from 'node:vm'
import { attempt } from './attempt.js'
import { pathForOthers } from './file-owner.js'

/** The part of Node's internal CommonJS module that is used. */
type CommonJs = {
  readonly exports: unknown
  require(id: string): unknown
  _compile(content: string, filename: string): unknown
}

/** The folder of the code of a command for this version of V8: a file `NAME.code` for each chunk. */
const commandFolder = (parent: string, command: string): string =>
  join(parent, `${process.versions.v8}-${process.arch}`, command)

/**
 * Loads the chunks of the program with V8's code cache, which holds the functions that an earlier call of the command
 * ran; Node's own compile cache holds fewer. It saves a third of the time that a quote takes in addition to starting
 * Node. The build makes it for usual commands in `DIST/code`, and the first call of another makes it below `cache`. Chunks
 * without code are compiled from source, as are those whose code V8 rejects: that of another source or of other settings,
 * such as those of `serve`.
 *
 * @param dist the folder of the built program
 * @returns keeps the code that was compiled from source, where it can be written
 */
export function takeCompiledCode(
  dist: string,
  cache: string | undefined,
  command: string,
): () => Promise<void> {
  const chunks = join(dist, 'chunks')
  const installation = cache === undefined ? undefined : installationFolder(dist, cache)
  const folders = [join(dist, 'code'), installation].flatMap((parent) =>
    parent === undefined ? [] : commandFolder(parent, command),
  )
  const compiled = new Map<string, vm.Script>()
  const { prototype } = Module as unknown as { readonly prototype: CommonJs }
  const compile = prototype._compile
  prototype._compile = function (content, filename) {
    // A script of `vm` cannot import.
    if (dirname(filename) !== chunks || content.includes('import('))
      return compile.call(this, content, filename)
    const name = `${basename(filename)}.code`
    const cachedData = codeOf(name, folders)
    const script = new vm.Script(Module.wrap(content), {
      filename,
      ...(cachedData && { cachedData }),
    })
    if (cachedData === undefined) compiled.set(name, script)
    const require = (id: string) => this.require(id)
    const { exports } = this
    return script
      .runInThisContext()
      .call(exports, exports, require, this, filename, dirname(filename))
  }
  return async () => {
    if (installation === undefined || compiled.size === 0) return
    const scripts = [...compiled]
    const { replaceFile } = await import('./atomic-file.js')
    const folder = commandFolder(installation, command)
    try {
      const isFirst = !existsSync(installation)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (isFirst) removeOld(dirname(installation))
      for (const [name, script] of scripts)
        replaceFile(join(folder, name), script.createCachedData())
    } catch {
      // Starts take longer without it.
    }
  }
}

/**
 * The folder of an installation's code, unless other users can change it. Another installation has other times of
 * change; V8 itself compares no more of a source than its length.
 */
function installationFolder(dist: string, cache: string): string | undefined {
  const times = ['main.cjs', 'chunks'].map((name) => statSync(join(dist, name)).ctimeMs)
  const folder = join(cache, times.join('-'))
  return pathForOthers(folder) === undefined ? folder : undefined
}

/** Creates a folder for compiled code. @returns whether no other user can change it */
export function isOwnCodeFolder(folder: string): boolean {
  attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  return pathForOthers(folder) === undefined
}

function codeOf(name: string, folders: readonly string[]): Buffer | undefined {
  for (const folder of folders)
    try {
      return readFileSync(join(folder, name))
    } catch {}
  return undefined
}

/** Days after which the code of other installations is removed. */
const KEPT_DAYS = 30

function removeOld(cache: string): void {
  const oldest = Date.now() - KEPT_DAYS * 24 * 3_600_000
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (statSync(path).mtimeMs < oldest) rmSync(path, { recursive: true, force: true })
  }
}
