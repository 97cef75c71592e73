/** An amount as people write it, in whatever unit it was sent: `404,600.00`. */
export const formatAmount = (amount: number) =>
  amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
