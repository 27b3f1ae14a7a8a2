import type { Database, Lead } from '../database.js'
import { clientDb } from './client-db.js'
import { maskedUrl, postgresFault } from './fault.js'
import { leadSession } from './leader.js'
import { openPool, poolDb } from './pool.js'

/** Opens a server's database; connects on first use. */
export async function openPostgres(url: string): Promise<Database> {
  const reads = poolDb(await openPool(url))
  const lead = async (): Promise<Lead> => {
    const { client, lost, release } = await leadSession(url)
    return { writes: clientDb(client), lost, release }
  }
  return {
    flavour: 'postgres',
    place: maskedUrl(url),
    isReplaced: () => false,
    reads,
    lead,
    faultOf: (error) => postgresFault(url, error),
    close: () => reads.destroy(),
  }
}
