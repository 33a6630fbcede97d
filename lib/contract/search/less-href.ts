/** The approval page of a proposal with an amount to approve instead. Apart from its schema, which scripts do not need. */
export const lessHref = (wholeHref: string, cents: number) => `${wholeHref}&amountInCents=${cents}`;
