/** One requirement of the specification, restated, and how far a test over HTTP can verify it. */
export interface Requirement {
  readonly section: string;
  readonly statement: string;
  readonly testable: "yes" | "part" | "no";
  /** What a test cannot verify, and why. */
  readonly reason?: string;
}

/** What cannot be verified fully has a reason, and nothing else has one. */
type Declared = Requirement &
  ({ testable: "yes"; reason?: never } | { testable: "part" | "no"; reason: string });

// biome-ignore format: a table, one requirement a line
const declared = {
  R001: { section: "1", testable: "part", statement: "The API offers each of the 20 operations of section 4 at the documented method and path.", reason: "If a request contains an id, a 404 for a missing route looks like a 404 for a missing record." },
  R002: { section: "1", testable: "no", statement: "The API is meant for trusted backends only.", reason: "A test over HTTP cannot see who calls the API; only CORS headers hint at it." },
  R003: { section: "1, 4", testable: "yes", statement: "The API carries out an operation only for a caller that the Authorization header authenticates." },
  R004: { section: "1, 5.4", testable: "yes", statement: "Request bodies are JSON, except for page creation, which takes multipart form data." },
  R005: { section: "2", testable: "yes", statement: "In a transaction request, customerId, planId, amount and fees are numbers; channel, ipAddress and message are strings; isLive is a boolean." },
  R006: { section: "2", testable: "part", statement: "The fields mch_no and sub_mch_no are strings and belong to QR transactions only.", reason: "The specification does not say how other transactions treat an unknown field." },
  R007: { section: "2", testable: "part", statement: "The fields cardNumber, expiryYear, expiryMonth and cvv belong to card transactions only.", reason: "Their types are undocumented, and so is how other transactions treat an unknown field." },
  R008: { section: "2", testable: "yes", statement: "The API identifies a transaction by a number: transaction_id (QR), transactionIdForSession (card) or transactionIdForSessionForSession (NDD)." },
  R009: { section: "2", testable: "part", statement: "A refund names its transaction by transactionRef, a string.", reason: "No operation is documented to return a transactionRef, so the operator must supply one that can be refunded." },
  R010: { section: "2, 4.16", testable: "yes", statement: "The result of a transfer contains transactionId, a string." },
  R011: { section: "2, 4.8", testable: "yes", statement: "The transfer list can be filtered by status, which has six values, and by transferReference, a string." },
  R012: { section: "2, 4.9", testable: "part", statement: "The recipient list can be filtered by status, a boolean, and searched by account name.", reason: "The fields of a listed recipient are undocumented, so a test cannot always recognise a match." },
  R013: { section: "2", testable: "yes", statement: "In a subscription update, amount is a number, paymentCount is an integer and every other field is a string; nextPaymentDate and startDate contain only a date." },
  R014: { section: "2", testable: "yes", statement: "In a discount code, productId, value, minOrderAmount, maxUsePerCustomer and maxClaims are numbers, isActive and isDelete are booleans, and the other fields are strings." },
  R015: { section: "2", testable: "yes", statement: "A payment page has the listed fields with the listed types, and a numeric pageId together with productIds links it to products." },
  R016: { section: "2, 4.7", testable: "yes", statement: "A subaccount share is requested with shere (an integer) and sub_account_id (a string) and returned as share (a number) and subaccount (a string)." },
  R017: { section: "2, 4.5", testable: "part", statement: "A virtual-account request has email, amount (a string in the currency's subunit) and reference, which is unique for each attempt and which the API generates if it is missing.", reason: "The type of data in the response is undocumented, so a test cannot find a generated reference in it." },
  R018: { section: "2", testable: "yes", statement: "Customer and dispute records are read through the list and get operations." },

  R019: { section: "3", testable: "part", statement: "A transfer has one of exactly six status values: Successful, Failed, Blocked, Rejected, Pending or Unverified.", reason: "All six can be sent as filters; returned values can be checked only if a test finds the status field of the list items." },
  R020: { section: "3", testable: "no", statement: "The payout state of an accepted transfer may still change later.", reason: "The rule permits a change and demands nothing: no check may expect a final or stable status." },
  R021: { section: "3", testable: "yes", statement: "The status of a recipient is a boolean: true means active, false means inactive." },

  R022: { section: "4", testable: "yes", statement: "Every operation works in at least one of two path forms: directly below the base URL, or below /api/user-service/external/v1." },
  R023: { section: "4", testable: "yes", statement: "JSON operations accept requests with Content-Type application/json." },
  R024: { section: "4", testable: "yes", statement: "The generic envelope has status (a string), message (a string) and data (an object); data has reference (a string) and, for reads, status (a string)." },
  R025: { section: "4.1", testable: "part", statement: "GET profile reads the profile and takes no request body.", reason: "The response body and the status codes are undocumented; a test can only tell acceptance from rejection." },
  R026: { section: "4.2", testable: "yes", statement: "POST transaction-with-qr starts a payment by QR code." },
  R027: { section: "4.2", testable: "yes", statement: "A QR transaction requires customerId, planId, channel, amount, mch_no and sub_mch_no." },
  R028: { section: "4.2", testable: "yes", statement: "In a QR transaction, ipAddress, fees, message and isLive are optional." },
  R029: { section: "4.2", testable: "yes", statement: "For a QR transaction, the API returns 200 with ReturnCode, OrderSn, CodeUrl and orderNo (strings) and transaction_id (a number)." },
  R030: { section: "4.2", testable: "part", statement: "CodeUrl contains the payload of the QR code.", reason: "The format of the payload is undocumented; a test can only check that there is one." },
  R031: { section: "4.2, 7", testable: "yes", statement: "If the API rejects a QR transaction with 400, the body has error shape C (message, code and error)." },
  R032: { section: "4.3", testable: "yes", statement: "POST transaction-with-card starts a payment by card." },
  R033: { section: "4.3", testable: "yes", statement: "A card transaction requires customerId, planId, channel, amount, cardNumber, expiryYear, expiryMonth and cvv." },
  R034: { section: "4.3", testable: "yes", statement: "In a card transaction, ipAddress, fees, message and isLive are optional." },
  R035: { section: "4.3", testable: "yes", statement: "For a card transaction, the API returns message (a string), paymentDetails (any value) and transactionIdForSession (a number)." },
  R036: { section: "4.3", testable: "yes", statement: "If the API rejects a card transaction, the body has error shape C (message, code and error)." },
  R037: { section: "4.4", testable: "part", statement: "POST transaction-with-ndd starts a payment by direct-debit mandate from the eight named fields, which have the listed types.", reason: "The required fields and the name of the ninth field are undocumented, and no check probes isLive." },
  R038: { section: "4.4", testable: "yes", statement: "For an NDD transaction, the API returns message (a string), mandateResponse (any value) and transactionIdForSessionForSession (a number)." },
  R039: { section: "4.4", testable: "yes", statement: "If the API rejects an NDD transaction, the body has error shape C (message, code and error)." },
  R040: { section: "4.5", testable: "yes", statement: "POST transaction-initialize/dva opens a payment by dynamic virtual account." },
  R041: { section: "4.5", testable: "yes", statement: "A virtual-account request requires email, a string." },
  R042: { section: "4.5", testable: "yes", statement: "A virtual-account request requires amount, a string in the currency's subunit." },
  R043: { section: "4.5", testable: "part", statement: "In a virtual-account request, reference is optional and unique for each attempt, and the API generates it if it is missing.", reason: "The specification does not say what a repeated reference causes, and a generated one may not be visible in the response." },
  R044: { section: "4.5", testable: "yes", statement: "For a virtual account, the API returns 200 with status (a boolean), message (a string) and data (any type)." },
  R045: { section: "4.5", testable: "yes", statement: "If the amount, customer payload or reference of a virtual-account request is invalid, or a required field is missing, the API returns 422 with error shape B (status, message and errors)." },
  R046: { section: "4.6", testable: "yes", statement: "POST refund-transaction takes transactionRef (a string) and amount (a number); neither is marked as required." },
  R047: { section: "4.6", testable: "yes", statement: "For a refund, the API returns 200 with an empty JSON object." },
  R048: { section: "4.6", testable: "yes", statement: "For a refund of an unknown transaction, the API returns 404 with error shape D (error)." },
  R049: { section: "4.6", testable: "no", statement: "A refund may fail with 500, an internal error.", reason: "No legitimate request causes an internal error." },
  R050: { section: "4.7", testable: "yes", statement: "POST split-page/{id}/subaccount/add takes the id of the split page, an integer, in the path." },
  R051: { section: "4.7", testable: "yes", statement: "The body that adds a subaccount has shere (an integer) and sub_account_id (a string)." },
  R052: { section: "4.7", testable: "yes", statement: "For an added subaccount, the API returns 201 with share (a number) and subaccount (a string)." },
  R053: { section: "4.7", testable: "yes", statement: "If the API fails to add a subaccount, the documented response is 500 with error shape D (error)." },
  R054: { section: "4.8", testable: "yes", statement: "GET transfer/get-transfer-list lists transfers." },
  R055: { section: "4.8, 8", testable: "yes", statement: "The transfer list requires limit and page, both integers." },
  R056: { section: "4.8, 8", testable: "yes", statement: "A page of the transfer list has at most limit records." },
  R057: { section: "4.8, 8", testable: "yes", statement: "The parameter page selects a page of the transfer list, and different pages show different parts of one list." },
  R058: { section: "4.8", testable: "yes", statement: "The transfer list returns 200 with the generic envelope (status, message and data)." },
  R059: { section: "4.8", testable: "yes", statement: "The transfer list rejects invalid query parameters with 400." },
  R060: { section: "4.8, 5.5", testable: "yes", statement: "The transfer list rejects a missing or invalid bearer token with 401." },
  R061: { section: "4.8", testable: "no", statement: "The transfer list may fail with 500, an internal error.", reason: "No legitimate request causes an internal error." },
  R062: { section: "4.9", testable: "yes", statement: "GET transfer/get-recipient-list requires limit and page (integers) and takes an optional status (a boolean) and an optional searchRecipientAccountName." },
  R063: { section: "4.9", testable: "yes", statement: "The recipient list returns 200 with the generic envelope (status, message and data), or 400, 401 or 500." },
  R064: { section: "4.10", testable: "yes", statement: "POST payment-pages/payment-page-add-product takes pageId (a number) and productIds (a string of comma-separated ids)." },
  R065: { section: "4.10", testable: "yes", statement: "For products added to a page, the API returns 200 with message." },
  R066: { section: "4.10", testable: "yes", statement: "If the API cannot add products to a page, for example because the page id is invalid, it returns 400 with error shape D (error)." },
  R067: { section: "4.11", testable: "part", statement: "PUT products/update-discount-code-details changes a discount code and returns 200 with the generic envelope (status, message and data).", reason: "The request is undocumented, so a check can send only the request that the operator gives." },
  R068: { section: "4.11", testable: "part", statement: "If the API rejects a discount-code update with 400, the body has error shape A (status, message and errors).", reason: "The request is undocumented, so no check can provoke a rejection; a check judges one only if it gets one." },
  R069: { section: "4.12", testable: "yes", statement: "POST payment-pages/create-pages takes multipart form data with the boundary that the client chose." },
  R070: { section: "4.12", testable: "yes", statement: "A payment page requires planId if its pageType is Subscription." },
  R071: { section: "4.12", testable: "part", statement: "The 13 fields of a new payment page have the listed types, and none is marked as required.", reason: "The specification does not say how booleans, numbers and the array are written in a form." },
  R072: { section: "4.12", testable: "part", statement: "The field seoImage is sent as a file part.", reason: "The allowed file types and sizes are undocumented." },
  R073: { section: "4.12", testable: "yes", statement: "For a new payment page, the API returns 200 with the generic envelope (status, message and data) and data.reference." },
  R074: { section: "4.12", testable: "yes", statement: "If the API rejects a payment page with 400, the body has error shape A (status, message and errors)." },
  R075: { section: "4.13", testable: "yes", statement: "POST payment-pages/custom-link-check-exist requires customLink, a string." },
  R076: { section: "4.13", testable: "yes", statement: "For a custom link that no page has, the API returns 200 with message." },
  R077: { section: "4.13", testable: "yes", statement: "For a custom link that a page already has, and for invalid input, the API returns 400 with error shape D (error)." },
  R078: { section: "4.14", testable: "yes", statement: "GET payment-pages/payment-page-get-product requires pageId (an integer) and takes an optional searchProduct." },
  R079: { section: "4.14", testable: "yes", statement: "The product list of a page returns 200 with the generic envelope (status, message and data), or 400 with error shape A (status, message and errors)." },
  R080: { section: "4.15", testable: "yes", statement: "GET dispute-details requires transactionRef, a string." },
  R081: { section: "4.15", testable: "yes", statement: "The dispute operation returns 200 with the generic envelope (status, message and data), or 400 with error shape A (status, message and errors)." },
  R082: { section: "4.16", testable: "yes", statement: "POST transfer/create-single-transfer sends one transfer to a bank account." },
  R083: { section: "4.16", testable: "yes", statement: "A transfer requires amount (a number) and bankCode, accountNumber, accountName, emailAddress and transferReference (strings)." },
  R084: { section: "4.16", testable: "yes", statement: "In a transfer, bankName and transferNote are optional." },
  R085: { section: "4.16", testable: "yes", statement: "For an accepted transfer, the API returns status, transactionId and message (strings)." },
  R086: { section: "4.16", testable: "yes", statement: "For a blocked transfer and for invalid input, the API returns status and message (strings)." },
  R087: { section: "4.16", testable: "yes", statement: "A repeated transferReference never causes a second payout." },
  R088: { section: "4.17", testable: "yes", statement: "The customer list requires limit and page (integers) and takes an optional search." },
  R089: { section: "4.17", testable: "yes", statement: "The customer list returns 200 with the generic envelope (status, message and data), or 400 with an undocumented body." },
  R090: { section: "4.18", testable: "yes", statement: "GET products/get-discount-codes takes the optional strings productId and code." },
  R091: { section: "4.18", testable: "yes", statement: "The discount-code list returns 200 with the generic envelope (status, message and data), or 400 with an undocumented body." },
  R092: { section: "4.19", testable: "yes", statement: "POST products/add-discount-code requires code, value and discounttype." },
  R093: { section: "4.19", testable: "part", statement: "The other eight fields of a discount code are optional and have the listed types.", reason: "The specification writes productId with a trailing colon, so its exact name is uncertain." },
  R094: { section: "4.19", testable: "yes", statement: "For a new discount code, the API returns 200 with the generic envelope (status, message and data) and data.reference." },
  R095: { section: "4.19", testable: "yes", statement: "If the API rejects a discount code with 400, the body has error shape A (status, message and errors)." },
  R096: { section: "4.20", testable: "yes", statement: "PUT subscription/{id} takes an integer id in the path and up to ten optional fields of the listed types in the body." },
  R097: { section: "4.20", testable: "yes", statement: "For an updated subscription, the API returns 200 with message." },
  R098: { section: "4.20", testable: "yes", statement: "If the input of a subscription update is invalid, the API returns 400 with error shape A (status, message and errors)." },
  R099: { section: "4.20", testable: "yes", statement: "For an update of an unknown subscription, the API returns 404." },

  R100: { section: "5.1", testable: "yes", statement: "The API accepts a request with Authorization: Bearer and a valid secret key." },
  R101: { section: "5.2", testable: "part", statement: "Test keys begin with pk_test_ or sk_test_ and move no real money; live keys begin with pk_live_ or sk_live_ and are for production only.", reason: "A test can read the prefix of the supplied key, but cannot see whether real money moved." },
  R102: { section: "5.2", testable: "no", statement: "A live key is never used in a test environment.", reason: "The rule binds the operator and this suite; a test that a live key is rejected would need a live key." },
  R103: { section: "5.3", testable: "no", statement: "The secret key is sent from backend code only.", reason: "A test over HTTP cannot see where a caller keeps its key." },
  R104: { section: "5.5", testable: "yes", statement: "Operations that list 401 return it if the bearer token is missing or invalid." },
  R105: { section: "5.6", testable: "part", statement: "A key is rotated as soon as it may have been exposed.", reason: "Rotation is a process; a test can only see that a revoked key is rejected, if the operator supplies one." },

  R106: { section: "6", testable: "no", statement: "Webhook notifications exist, and test credentials are used to validate webhook flows.", reason: "The kinds, payloads, delivery and signature of events are undocumented." },

  R107: { section: "7", testable: "yes", statement: "Error shape A has status (always error), message (a string) and errors (an object that maps field names to arrays of strings)." },
  R108: { section: "7", testable: "yes", statement: "Error shape B is error shape A with status code 422; virtual-account initialization returns it." },
  R109: { section: "7", testable: "yes", statement: "Error shape C has message (a string), code (a number) and error (a string)." },
  R110: { section: "7", testable: "yes", statement: "Error shape D has error (a string)." },
  R111: { section: "7", testable: "yes", statement: "Every operation returns the status codes of the table in section 7." },
  R112: { section: "7", testable: "no", statement: "A client retries a failed request only if it is safe to repeat.", reason: "The rule binds the client, here this suite, and not the API." },

  R113: { section: "8", testable: "yes", statement: "The parameter limit is the page size and page is the page number; the transfer, recipient and customer lists require both." },

  R114: { section: "9", testable: "yes", statement: "Every path contains the segment external/v1." },
} as const satisfies Record<string, Declared>;

export type RequirementId = keyof typeof declared;

/** Every requirement by its id, which never changes. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = declared;
