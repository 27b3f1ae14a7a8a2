import { buildCommit, buildVersion } from '../../../platform/version.js'
import type { Context } from '../../command.js'

/** Prints the version. */
export async function runVersion({ out, form }: Context): Promise<void> {
  const facts = {
    version: buildVersion,
    commit: buildCommit,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    snapshot_format: 'swap.snapshot/1',
  }
  if (form.quiet > 1) return
  if (form.quiet === 1) await out.result(facts.version)
  else if (form.kind === 'json') await out.result(JSON.stringify(facts))
  else
    await out.result(
      `swap ${facts.version} (${facts.commit}) · node ${facts.node} · ${facts.platform}`,
    )
}
