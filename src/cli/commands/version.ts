import { buildCommit, buildVersion } from '../../build.js'
import type { Command } from '../command.js'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Say which program this is',
  usage: [['swap version', 'version, commit, Node and platform']],
  examples: [['swap version --json', 'the same as a document']],
  groups: [],
  exit: '0 ok',
  async run({ out, form }) {
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
  },
}
