import { missing, refuseMore } from '../arguments.js'
import type { Command } from '../command.js'
import { configDocument, renderConfig } from '../config-list.js'

export const configCommand: Command = {
  name: 'config',
  summary: 'Show the configuration and where each value comes from',
  usage: [['swap config list', 'every key with its value, origin and what it overrode']],
  examples: [['swap config list --json', 'for a script']],
  groups: [],
  exit: '0 ok, 2 usage or a value that cannot be used',
  async run({ config, out, form, surroundings }, args) {
    const [verb, ...more] = args
    if (verb !== 'list') throw missing('"list"', 'swap config list')
    refuseMore('config list', more)
    if (form.quiet > 1) return
    if (form.kind === 'json') {
      return out.result(JSON.stringify(configDocument(config)))
    }
    return out.result(renderConfig(config, out.style, surroundings.home, form.kind === 'csv'))
  },
}
