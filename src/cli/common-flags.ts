import { orList } from '../config/readers.js'
import { outputForms, settingWords } from '../config/schema.js'
import { choices, type Flag } from './command.js'

/** Flags that every command takes, before or after its name. */
export const commonFlags: readonly Flag[] = [
  { flags: '--json', meaning: 'the document of the service; on one line in a pipe' },
  { flags: '--ndjson', meaning: 'the same; with --watch an event a line' },
  { flags: '--csv', meaning: 'rows for a spreadsheet' },
  {
    flags: '-o, --output <form>',
    meaning: orList(outputForms),
    value: choices(...outputForms),
  },
  { flags: '-q, --quiet', meaning: 'one value, for a script' },
  {
    flags: '-v, --verbose',
    meaning: 'everything about a quote: fees, other routes, pairs left out',
  },
  { flags: '-n, --network <name>', meaning: 'demo, mainnet, or one of your own', value: 'network' },
  { flags: '--rpc <url>', meaning: 'a node of it; again for more, tried in order', many: true },
  { flags: '--rest <url>', meaning: 'a REST endpoint of it; again for more', many: true },
  { flags: '--router-address <address>', meaning: 'another router contract' },
  {
    flags: '--router-dialect <name>',
    meaning: orList(settingWords.routerDialect),
    value: choices(...settingWords.routerDialect),
  },
  { flags: '--timeout <20s>', meaning: 'how long to wait for nodes in all' },
  { flags: '--max-age <10s>', meaning: 'oldest market to quote from' },
  {
    flags: '--snapshot <file>',
    meaning: 'quote from a saved market; - reads standard input',
    value: 'file',
  },
  {
    flags: '--color <when>',
    meaning: orList(settingWords.color),
    value: choices(...settingWords.color),
  },
  { flags: '--width <columns>', meaning: 'width of the output' },
  { flags: '--no-pager', meaning: 'long output as it is, without $PAGER' },
  { flags: '--ascii', meaning: 'only ASCII characters' },
  { flags: '--config <file>', meaning: 'this file instead of .swaprc', value: 'file' },
]
