import {
  type RequestMembers,
  type RequestName,
  requestMembers,
  type ValueSchema,
} from '../../operations/request-members.js'
import { flagNameOf } from '../../operations/request-values.js'
import type { FlagValues } from '../command.js'
import {
  type CheckedFlag,
  checkedFlag,
  type FlagDetails,
  readFlag,
  valueName,
} from './checked-flag.js'

type MemberName<Request extends RequestName> = keyof RequestMembers<Request> & string

/** How the command line deviates from the service's members. */
type FlagSpelling = FlagDetails & {
  /** The flag, if it is not named like the member. */
  readonly name?: string
  /** The placeholder of the value; `n` for numbers. */
  readonly placeholder?: string
}

/** Tokens and pairs by name instead of denom and address; basis points with their unit. */
const spellings: Readonly<Record<string, FlagSpelling>> = {
  slippage_bps: { name: 'slippage', placeholder: '0.5%|50bps', isRatio: true },
  max_impact_bps: {
    name: 'max-impact',
    placeholder: 'percent',
    isRatio: true,
    example: '1% or 80bps',
  },
  tolerance_bps: { name: 'tolerance', placeholder: '5bps', isRatio: true },
  min_out: { placeholder: 'amount', example: '39500rune' },
  from: { placeholder: 'amount' },
  to: { placeholder: 'amount' },
  recipient: { name: 'to', placeholder: 'address', value: 'account' },
  quote: { name: 'in', placeholder: 'token', value: 'token' },
  via: { placeholder: 'names', value: 'token-or-pair', many: true, example: 'usdc,rune/usdc' },
  exclude: { placeholder: 'names', value: 'token-or-pair', many: true, example: 'usdc,rune/usdc' },
  path: { placeholder: 'pairs', value: 'pair', many: true },
  legs: { placeholder: 'amount:pairs', many: true },
  affiliate: { placeholder: 'code' },
  sender: { placeholder: 'address', value: 'account' },
  owner: { placeholder: 'address', value: 'account' },
  pair: { placeholder: 'pair', value: 'pair' },
  txHash: { placeholder: 'hash' },
  type: { placeholder: 'type' },
  period: { placeholder: 'period' },
}

export function requestFlag<Request extends RequestName>(
  request: Request,
  member: MemberName<Request>,
  details: FlagDetails & Pick<FlagSpelling, 'placeholder'> = {},
): CheckedFlag {
  const spelt = { ...spellings[member], ...details }
  const { name = flagNameOf(member), placeholder = 'n', ...spelling } = spelt
  const schema = requestMembers[request][member] as ValueSchema
  const flags = schema.type === 'boolean' ? `--${name}` : `--${name} <${placeholder}>`
  return checkedFlag(flags, schema, { pointer: `/${member}`, ...spelling })
}

/**
 * Collects the request members given by flags, checked against the schema.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function membersOf<Request extends RequestName, Member extends MemberName<Request>>(
  request: Request,
  members: readonly Member[],
  given: FlagValues,
): Partial<Pick<RequestMembers<Request>, Member>> {
  const values = members.flatMap((member) => {
    const value = readFlag(requestFlag(request, member), given)
    return value === undefined ? [] : [[member, value] as const]
  })
  return Object.fromEntries(values) as Partial<Pick<RequestMembers<Request>, Member>>
}

/** Flags for members of a request, by the names of their values. */
export const memberFlags = (request: RequestName): ReadonlyMap<string, CheckedFlag> =>
  new Map(
    Object.keys(requestMembers[request]).map((member) => {
      const flag = requestFlag(request, member as never)
      return [valueName(flag.flags), flag]
    }),
  )
