// The licences of the packages that the bundle contains, as their licences demand.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** The folder of the package that a bundled file is from; `undefined` for a file of our own. */
const packageOf = (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]

/**
 * @param metafiles what esbuild says about its outputs
 * @param copied folders of packages that files were copied from
 */
export function bundledPackages(metafiles, copied) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs))
  return [...new Set([...inputs.flatMap((input) => packageOf(input) ?? []), ...copied])].map(
    describePackage,
  )
}

function describePackage(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const holder = typeof author === 'string' ? author : author?.name
  return { name, version, license, holder, texts }
}

/** A text for each package and version; packages of one version and text are named once. */
export function licenceText(packages) {
  const parts = packages
    .map((each) => {
      const { name, version, license, texts } = each
      if (typeof license !== 'string') throw new Error(`${name} does not say its licence`)
      const body = texts.length > 0 ? texts : [standardText(each, packages)]
      return [`${name} ${version}`, `Licence: ${license}`, '', ...body].join('\n')
    })
    .sort()
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  const head = 'swap contains the packages below, each under the licence that is printed with it.'
  return `${[head, ...new Set(parts)].join(rule)}\n`
}

/** The standard text where a package has only the name of its licence. */
function standardText({ name, license, holder }, packages) {
  if (license === 'MIT')
    return readFileSync(new URL('LICENSE', import.meta.url), 'utf8')
      .trim()
      .replace(/^Copyright.*$/m, `Copyright (c) ${holder ?? `the authors of ${name}`}`)
  // Of Apache's the text is the same whoever holds the copyright.
  const same = packages.find((other) => other.license === license && other.texts.length > 0)
  if (license === 'Apache-2.0' && same) return same.texts[0]
  throw new Error(`${name} comes without the text of its licence: ${license}`)
}
