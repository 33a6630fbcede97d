import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import type { PayeeAccountInput } from "@/lib/contract/payee";

export const NO_ACCOUNT: PayeeAccountInput = {
  holderName: "",
  accountKind: "CHECKING",
  routingNumber: "",
  accountNumber: "",
};

const ACCOUNT_KINDS = [
  { value: "CHECKING", label: "Checking" },
  { value: "SAVINGS", label: "Savings" },
];

interface AccountFieldsProps {
  account: PayeeAccountInput;
  problems: Readonly<Record<string, string>>;
  onChange: (account: PayeeAccountInput) => void;
}

/** The numbers stay in this page until they are sent; Sluice keeps only their last four digits. */
export function AccountFields({ account, problems, onChange }: AccountFieldsProps) {
  const field = (name: "holderName" | "routingNumber" | "accountNumber") => ({
    value: account[name],
    error: problems[`account.${name}`] ?? null,
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ ...account, [name]: event.target.value }),
  });
  return (
    <>
      <InputField
        {...field("holderName")}
        label="Account holder"
        hint="As the bank knows them."
        maxLength={100}
      />
      <SelectField
        label="Kind of account"
        options={ACCOUNT_KINDS}
        value={account.accountKind}
        onChange={(event) =>
          onChange({ ...account, accountKind: event.target.value === "SAVINGS" ? "SAVINGS" : "CHECKING" })
        }
      />
      <InputField
        {...field("routingNumber")}
        label="Routing number"
        hint="Nine digits, for ACH."
        inputMode="numeric"
        maxLength={20}
      />
      <InputField
        {...field("accountNumber")}
        label="Account number"
        hint="Goes to the bank. Sluice keeps its last four digits."
        inputMode="numeric"
        maxLength={40}
      />
    </>
  );
}
