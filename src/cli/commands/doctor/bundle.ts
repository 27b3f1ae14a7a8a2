import { writeDocument } from '../../../chain/market/snapshot-file.js'
import type { DoctorAnswer } from '../../../operations/doctor/doctor.js'
import { shortenMiddle } from '../../../render/width.js'
import type { Context } from '../../command.js'

/** An address of whatever chain. */
const ADDRESS = /\b[a-z]{1,20}1[02-9ac-hj-np-z]{38,58}\b/g

/**
 * Writes what the doctor found and the configuration that holds, to be attached to a report:
 * addresses shortened, the home folder as `~`. Secrets of URLs are masked before they get here.
 */
export async function writeBundle(
  { config, out, surroundings }: Context,
  answer: DoctorAnswer,
  path: string,
): Promise<void> {
  const { home } = surroundings
  const clean = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const text = home ? value.replaceAll(home, '~') : value
    return text.replace(ADDRESS, (address) => shortenMiddle(address, 15))
  }
  const document: object = JSON.parse(
    JSON.stringify(
      {
        doctor: answer,
        config: config.rows.map(({ key, value, origin }) => ({ key, value, origin })),
        notes: config.notes,
      },
      clean,
    ),
  )
  if (path === '-') return out.result(JSON.stringify(document, undefined, 2))
  const bytes = await writeDocument(path, document)
  out.note(`wrote ${path}, ${bytes} bytes`)
}
