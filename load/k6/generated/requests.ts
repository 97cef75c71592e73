// Generated from schemas/contract.ts by `npm run generate`; edit the contract, not this file.
import type { RequestRow } from "../outcome.ts";

export type OperationName =
  | "getProfile"
  | "createQrTransaction"
  | "createCardTransaction"
  | "createNddTransaction"
  | "initializeVirtualAccount"
  | "refundTransaction"
  | "addSplitSubaccount"
  | "listTransfers"
  | "listRecipients"
  | "addPageProducts"
  | "updateDiscountCode"
  | "createPaymentPage"
  | "checkCustomLink"
  | "listPageProducts"
  | "getDispute"
  | "createTransfer"
  | "listCustomers"
  | "listDiscountCodes"
  | "createDiscountCode"
  | "updateSubscription";

/** What k6 has to know about an operation: a function, because each virtual user keeps what it needs of a few operations. */
export function requestRow(operation: OperationName): RequestRow {
  switch (operation) {
    case "getProfile": return {"method":"GET","effect":"read","success":{"from":200,"to":299},"accepted":[],"rejections":[]};
    case "createQrTransaction": return {"method":"POST","effect":"money","success":{"from":200,"to":200,"has":"transaction_id"},"accepted":[{"name":"ReturnCode","types":["string"]},{"name":"OrderSn","types":["string"]},{"name":"CodeUrl","types":["string"]},{"name":"orderNo","types":["string"]},{"name":"transaction_id","types":["number"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"message","types":["string"]},{"name":"code","types":["number"]},{"name":"error","types":["string"]}]}]};
    case "createCardTransaction": return {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionIdForSession"},"accepted":[{"name":"message","types":["string"]},{"name":"paymentDetails","types":[]},{"name":"transactionIdForSession","types":["number"]}],"rejections":[{"from":200,"to":499,"fields":[{"name":"message","types":[]},{"name":"code","types":["number"]},{"name":"error","types":[]}]}]};
    case "createNddTransaction": return {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionIdForSessionForSession"},"accepted":[{"name":"message","types":["string"]},{"name":"mandateResponse","types":[]},{"name":"transactionIdForSessionForSession","types":["number"]}],"rejections":[{"from":200,"to":499,"fields":[{"name":"message","types":[]},{"name":"code","types":["number"]},{"name":"error","types":[]}]}]};
    case "initializeVirtualAccount": return {"method":"POST","effect":"money","success":{"from":200,"to":200,"equals":{"field":"status","value":true}},"accepted":[{"name":"status","types":["boolean"]},{"name":"message","types":["string"]},{"name":"data","types":[]}],"rejections":[{"from":422,"to":422,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "refundTransaction": return {"method":"POST","effect":"money","success":{"from":200,"to":200},"accepted":[],"rejections":[{"from":404,"to":404,"fields":[{"name":"error","types":["string"]}]}]};
    case "addSplitSubaccount": return {"method":"POST","effect":"update","success":{"from":201,"to":201},"accepted":[{"name":"share","types":["number"]},{"name":"subaccount","types":["string"]}],"rejections":[{"from":500,"to":500,"fields":[{"name":"error","types":["string"]}]}]};
    case "listTransfers": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[]};
    case "listRecipients": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[]};
    case "addPageProducts": return {"method":"POST","effect":"update","success":{"from":200,"to":200},"accepted":[{"name":"message","types":["string"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"error","types":["string"]}]}]};
    case "updateDiscountCode": return {"method":"PUT","effect":"update","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "createPaymentPage": return {"method":"POST","effect":"create","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "checkCustomLink": return {"method":"POST","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"message","types":["string"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"error","types":["string"]}]}]};
    case "listPageProducts": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "getDispute": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "createTransfer": return {"method":"POST","effect":"money","success":{"from":200,"to":299,"has":"transactionId"},"accepted":[{"name":"status","types":["string"]},{"name":"transactionId","types":["string"]},{"name":"message","types":["string"]}],"rejections":[{"from":200,"to":499,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]}]}]};
    case "listCustomers": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[]};
    case "listDiscountCodes": return {"method":"GET","effect":"read","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object","array","null"]}],"rejections":[]};
    case "createDiscountCode": return {"method":"POST","effect":"create","success":{"from":200,"to":200},"accepted":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"data","types":["object"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
    case "updateSubscription": return {"method":"PUT","effect":"update","success":{"from":200,"to":200},"accepted":[{"name":"message","types":["string"]}],"rejections":[{"from":400,"to":400,"fields":[{"name":"status","types":["string"]},{"name":"message","types":["string"]},{"name":"errors","types":["object"]}]}]};
  }
}
