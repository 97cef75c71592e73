import type { OperationId, RequestOf } from "./contract.ts";

const page = { limit: 10, page: 1 };

const transaction = { customerId: 100001, planId: 100301, amount: 1500 };

/** A request of each operation with the ids of the embedded sandbox (`npm run sandbox`), which accepts it. */
export const examples: { readonly [I in OperationId]: RequestOf<I> } = {
  getProfile: {},
  createQrTransaction: {
    body: { ...transaction, channel: "QR", mch_no: "MCH-1001", sub_mch_no: "SUB-MCH-1001" },
  },
  createCardTransaction: {
    body: {
      ...transaction,
      channel: "CARD",
      cardNumber: "4242424242424242",
      expiryYear: "2035",
      expiryMonth: "12",
      cvv: "123",
    },
  },
  createNddTransaction: { body: { ...transaction, channel: "NDD" } },
  initializeVirtualAccount: { body: { email: "payer@example.com", amount: "150000" } },
  refundTransaction: { body: { transactionRef: "TX-EXAMPLE-100001", amount: 2500 } },
  addSplitSubaccount: { path: { id: 100701 }, body: { shere: 10, sub_account_id: "SUB-100001" } },
  listTransfers: { query: page },
  listRecipients: { query: page },
  addPageProducts: { body: { pageId: 100601, productIds: "100507,100508" } },
  updateDiscountCode: { query: {}, body: { code: "WELCOME-1-1", value: 15 } },
  createPaymentPage: {
    body: {
      pageType: "Product",
      pageName: "Spring sale",
      pageDescription: "Everything for the garden",
      isFixedPaymentAmount: true,
      fixedPaymentAmount: 1500,
      isPhoneNumber: false,
      customLink: "spring-sale",
      redirectAfterPaymentLink: "https://shop.example.com/thanks",
      successMessage: "Thank you",
      sendNotificationsToEmail: "shop@example.com",
      extraInformation: ["Delivery date"],
    },
  },
  checkCustomLink: { body: { customLink: "summer-sale" } },
  listPageProducts: { query: { pageId: 100601 } },
  getDispute: { query: { transactionRef: "TX-DISPUTED-100001" } },
  createTransfer: {
    body: {
      amount: 100,
      bankCode: "033",
      accountNumber: "1000000037",
      accountName: "Annabel Schulist 1",
      emailAddress: "payee@example.com",
      transferReference: "payout-000001",
    },
  },
  listCustomers: { query: page },
  listDiscountCodes: { query: {} },
  createDiscountCode: { body: { code: "SPRING-5", value: 5, discounttype: "percentage" } },
  updateSubscription: { path: { id: 100801 }, body: { planName: "Monthly plus" } },
};
