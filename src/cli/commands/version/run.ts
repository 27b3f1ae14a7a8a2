import { buildCommit, buildVersion } from '../../../platform/version.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'

/** Prints the version. */
export function runVersion(context: Context): Promise<void> {
  const facts = {
    version: buildVersion,
    commit: buildCommit,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    snapshot_format: 'swap.snapshot/1',
  }
  return printAnswer(context, facts, {
    quiet: () => facts.version,
    human: () => `swap ${facts.version} (${facts.commit}) · node ${facts.node} · ${facts.platform}`,
  })
}
