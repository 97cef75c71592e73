// Generated from schemas/contract.ts by `npm run generate`; edit the contract, not this file.
import type { RequestRow } from "../outcome.ts";

export const requests = {
  getProfile: {"method":"GET","effect":"read","success":{"from":200,"to":299},"accepted":{},"rejections":[]},
  createQrTransaction: {"method":"POST","effect":"money","success":{"from":200,"to":200,"has":"transaction_id"},"accepted":{"ReturnCode":["string"],"OrderSn":["string"],"CodeUrl":["string"],"orderNo":["string"],"transaction_id":["number"]},"rejections":[{"from":400,"to":400,"fields":{"message":["string"],"code":["number"],"error":["string"]}}]},
  createCardTransaction: {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionIdForSession"},"accepted":{"message":["string"],"paymentDetails":[],"transactionIdForSession":["number"]},"rejections":[{"from":200,"to":499,"fields":{"message":[],"code":["number"],"error":[]}}]},
  createNddTransaction: {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionIdForSessionForSession"},"accepted":{"message":["string"],"mandateResponse":[],"transactionIdForSessionForSession":["number"]},"rejections":[{"from":200,"to":499,"fields":{"message":[],"code":["number"],"error":[]}}]},
  initializeVirtualAccount: {"method":"POST","effect":"money","success":{"from":200,"to":200,"equals":{"field":"status","value":true}},"accepted":{"status":["boolean"],"message":["string"],"data":[]},"rejections":[{"from":422,"to":422,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  refundTransaction: {"method":"POST","effect":"money","success":{"from":200,"to":200},"accepted":{},"rejections":[{"from":404,"to":404,"fields":{"error":["string"]}}]},
  addSplitSubaccount: {"method":"POST","effect":"update","success":{"from":201,"to":201},"accepted":{"share":["number"],"subaccount":["string"]},"rejections":[{"from":500,"to":500,"fields":{"error":["string"]}}]},
  listTransfers: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[]},
  listRecipients: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[]},
  addPageProducts: {"method":"POST","effect":"update","success":{"from":200,"to":200},"accepted":{"message":["string"]},"rejections":[{"from":400,"to":400,"fields":{"error":["string"]}}]},
  updateDiscountCode: {"method":"PUT","effect":"update","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  createPaymentPage: {"method":"POST","effect":"create","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  checkCustomLink: {"method":"POST","effect":"read","success":{"from":200,"to":200},"accepted":{"message":["string"]},"rejections":[{"from":400,"to":400,"fields":{"error":["string"]}}]},
  listPageProducts: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  getDispute: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  createTransfer: {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionId"},"accepted":{"status":["string"],"transactionId":["string"],"message":["string"]},"rejections":[{"from":200,"to":499,"fields":{"status":["string"],"message":["string"]}}]},
  listCustomers: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[]},
  listDiscountCodes: {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object","array","null"]},"rejections":[]},
  createDiscountCode: {"method":"POST","effect":"create","success":{"from":200,"to":200},"accepted":{"status":["string"],"message":["string"],"data":["object"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
  updateSubscription: {"method":"PUT","effect":"update","success":{"from":200,"to":200},"accepted":{"message":["string"]},"rejections":[{"from":400,"to":400,"fields":{"status":["string"],"message":["string"],"errors":["object"]}}]},
} as const satisfies Record<string, RequestRow>;

export type OperationName = keyof typeof requests;
