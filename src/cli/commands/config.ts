import type { Command } from '../command.js'

export const configCommand: Command = {
  name: 'config',
  summary: 'Show the configuration and where each value comes from',
  usage: [['swap config list', 'every key with its value, origin and what it overrode']],
  examples: [['swap config list --json', 'for a script']],
  groups: [],
  exit: '0 ok, 2 usage or a value that cannot be used',
  async run({ config, out, form, surroundings }, args) {
    const [verb, ...more] = args
    const { missing, refuseMore } = await import('../arguments.js')
    if (verb !== 'list') throw missing('"list"', 'swap config list')
    refuseMore('config list', more)
    if (form.quiet > 1) return
    if (form.kind === 'json') {
      const { configDocument } = await import('../config-list.js')
      return out.result(JSON.stringify(configDocument(config)))
    }
    const { renderConfig } = await import('../config-list.js')
    return out.result(renderConfig(config, out.style, surroundings.home, form.kind === 'csv'))
  },
}
