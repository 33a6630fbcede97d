import { tellPage } from "@/lib/api/mcp/tell/page";
import { quote } from "@/lib/api/mcp/tell/quote";
import { teller } from "@/lib/api/mcp/tell/teller";
import { type Beneficiary, beneficiarySchema } from "@/lib/contract/beneficiary";
import { type Page, pageOf } from "@/lib/contract/page";

/** A page of those who may own an account. */
export const tellBeneficiaries = teller(pageOf(beneficiarySchema), (page: Page<Beneficiary>) =>
  tellPage(
    page,
    {
      one: "beneficiary",
      many: "beneficiaries",
      empty: "No beneficiaries yet. addBusinessBeneficiary says how a person adds a business.",
      next: "Pass an id as beneficiaryId to createAccount; without it the account belongs to the default beneficiary.",
    },
    ({ id, name, beneficiaryType }) =>
      `${quote(name)}, ${beneficiaryType === "BUSINESS" ? "a business" : "a person"}; id ${id}`,
  ),
);
