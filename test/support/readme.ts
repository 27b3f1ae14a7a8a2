import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { shownCommands } from '../../src/cli/command.js'
import { commands } from '../../src/cli/commands/index.js'
import { manPages } from '../../src/cli/help/man/pages.js'
import { exitStatuses } from '../../src/cli/help/topics.js'
import { errorCodes } from '../../src/engine/errors.js'
import { exitStatusOf } from '../../src/operations/problem.js'

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const commandTable = (): string =>
  table(
    ['command', 'does'],
    commands.map((command) => [
      [`swap ${command.name}`, ...shownCommands(command).map(({ name }) => name)]
        .map((word) => `\`${word}\``)
        .join(' '),
      command.summary,
    ]),
  )

const errorTable = (): string =>
  table(
    ['exit', 'meaning', 'codes'],
    exitStatuses.map(([status, meaning]) => {
      const codes = errorCodes.filter((code) => exitStatusOf(code) === status)
      return [`${status}`, meaning, codes.map((code) => `\`${code}\``).join(' ')]
    }),
  )

const tables: Readonly<Record<string, () => string>> = {
  commands: commandTable,
  errors: errorTable,
}

/** The README with its tables generated from the declarations in src. */
export const withTables = (readme: string): string =>
  readme.replace(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}${tables[name]?.()}\n${end}`,
  )

/** The manifest with the manual pages that a build makes: `npm install -g` links those that it names. */
export const withManPages = (manifest: string): string => {
  const man = [...manPages('').keys()].toSorted().map((file) => `dist/man/${file}`)
  return `${JSON.stringify({ ...JSON.parse(manifest), man }, null, 2)}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync('README.md', withTables(readFileSync('README.md', 'utf8')))
  writeFileSync('package.json', withManPages(readFileSync('package.json', 'utf8')))
}
