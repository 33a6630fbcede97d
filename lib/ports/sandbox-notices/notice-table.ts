/** What each sandbox has to tell lies in a table of its own, of one shape: due at a business time, told until acknowledged. */
export type NoticeTable = "sandbox_bank_notices" | "sandbox_card_notices";
