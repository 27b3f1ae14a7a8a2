import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a package with the text of its licence. */
const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** The folder of the package that a bundled file is from; `undefined` for a file of our own. */
function packageOf(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
}

/**
 * The packages that are bundled, by name and version.
 *
 * @param metafiles what esbuild says about its outputs
 */
export function bundledPackages(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs))
  return [...new Set(inputs.flatMap((input) => packageOf(input) ?? []))].map(describePackage)
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

/** Every package and version; packages of one text are named together. */
export function licenceText(packages) {
  const namesOf = new Map()
  for (const each of packages) {
    const { name, version, license, texts } = each
    if (typeof license !== 'string') throw new Error(`${name} does not say its licence`)
    const body = (texts.length > 0 ? texts : [standardText(each, packages)]).join('\n')
    const text = `Licence: ${license}\n\n${body}`
    namesOf.set(text, [...(namesOf.get(text) ?? []), `${name} ${version}`])
  }
  const parts = [...namesOf].map(
    ([text, names]) => `${[...new Set(names)].sort().join('\n')}\n${text}`,
  )
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  const head = 'swap contains the packages below, each under the licence that is printed with it.'
  return `${[head, ...parts.sort()].join(rule)}\n`
}

/** The standard text where a package has only the name of its licence. */
function standardText({ name, license, holder }, packages) {
  if (license === 'MIT')
    return readFileSync('LICENSE', 'utf8')
      .trim()
      .replace(/^Copyright.*$/m, `Copyright (c) ${holder ?? `the authors of ${name}`}`)
  // Of Apache's the text is the same whoever holds the copyright.
  const same = packages.find((other) => other.license === license && other.texts.length > 0)
  if (license === 'Apache-2.0' && same) return same.texts[0]
  throw new Error(`${name} comes without the text of its licence: ${license}`)
}
