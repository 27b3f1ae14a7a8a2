import { buildCommit, buildVersion } from '../../../platform/version.js'
import { flow } from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'

type ProgramVersion = Readonly<Record<'version' | 'commit' | 'node' | 'platform', string>>

/** One line in a pipe; wrapped on a terminal. */
function renderVersion(facts: ProgramVersion, style: Style): string {
  const { version, commit, node, platform } = facts
  const pieces = [`swap ${version} (${commit})`, `node ${node}`, platform]
  return flow(
    pieces,
    ` ${glyphsOf(style).dot} `,
    style.tty ? style.width : Number.POSITIVE_INFINITY,
  ).join('\n')
}

/** The program, the Node that runs it, and the platform. */
export const programFacts = (): ProgramVersion => ({
  version: buildVersion,
  commit: buildCommit,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
})

export function runVersion(context: Context): Promise<void> {
  const facts = { ...programFacts(), snapshot_format: 'swap.snapshot/1' }
  return printAnswer(context, facts, {
    quiet: () => facts.version,
    human: () => renderVersion(facts, context.out.style),
  })
}
