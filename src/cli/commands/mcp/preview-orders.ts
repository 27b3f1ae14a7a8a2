import * as Type from 'typebox'
import type { Prepared } from '../../../execution/plan/prepared.js'
import type { OrderView } from '../../../execution/plan/signing-view.js'
import type { Account } from '../../../execution/ports.js'
import type { OperationContext } from '../../../operations/context.js'
import {
  AmountText,
  CoinDocument,
  closedObject,
  type DocumentOf,
  orNull,
  textOf,
} from '../../../operations/document-schema.js'
import { previewDocument } from '../../../operations/orders/order-preview.js'
import {
  OrderPreviewAnswer,
  OrderPreviewRequest,
} from '../../../operations/orders/order-preview-documents.js'
import { coinDocument } from '../../../operations/route-document.js'
import { usd } from '../../execution/modes.js'

const { owner: _, funds: __, ...requestMembers } = OrderPreviewRequest.properties

/** As of `swap_order_preview`, but of the account that signs and with the coins that the message needs. */
export const OrdersPreviewRequest = closedObject(requestMembers)

/** The answer of `swap_preview_orders`: what the message does, and the bytes that would be signed. */
export const OrdersPreviewAnswer = closedObject({
  preview_id: textOf('What swap_execute_orders takes.'),
  valid_seconds: Type.Integer({ description: 'Seconds within which it may be executed.' }),
  key: orNull(textOf('Name of the key.')),
  ...OrderPreviewAnswer.properties,
  fee: Type.Array(CoinDocument, { description: 'Fee of the transaction.' }),
  gas_limit: AmountText,
  sequence: textOf('Sequence of the account.'),
  timeout_height: Type.Integer({ description: 'The last block that may hold it.' }),
  sign_doc_sha256: textOf('Hash of the bytes that are signed.'),
  worth_usd: orNull(textOf('Dollars that are offered anew; null where unknown.')),
})
export type OrderPreviewDocument = DocumentOf<typeof OrdersPreviewAnswer>

export async function orderPreviewDocument(
  app: OperationContext,
  id: string,
  seconds: number,
  { name, address }: Account,
  { view }: Prepared<OrderView>,
): Promise<OrderPreviewDocument> {
  const { decoded, worthMicroUsd, messages, fingerprint } = view
  return {
    ...{ preview_id: id, valid_seconds: seconds, key: name },
    ...(await previewDocument(app, messages[0]!.planned, address)),
    fee: decoded.fee.map(coinDocument),
    gas_limit: `${decoded.gasLimit}`,
    sequence: `${decoded.sequence}`,
    timeout_height: Number(decoded.timeoutHeight),
    sign_doc_sha256: fingerprint,
    worth_usd: usd(worthMicroUsd),
  }
}
