import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { StateField } from "@/components/ui/state-field";
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

const NO_ADDRESS = { street: "", city: "", state: "", postalCode: "" };

interface AccountFieldsProps {
  account: PayeeAccountInput;
  problems: Readonly<Record<string, string>>;
  /** Whether the bank asks for the holder's postal address. */
  needsAddress: boolean;
  /** The rest of the form was typed before a reload, which the numbers do not outlive. */
  wasReloaded?: boolean;
  onChange: (account: PayeeAccountInput) => void;
}

/** The numbers stay in this page until they are sent; Sluice keeps only their last four digits. */
export function AccountFields({
  account,
  problems,
  needsAddress,
  wasReloaded = false,
  onChange,
}: AccountFieldsProps) {
  const again = wasReloaded ? " Not kept when the page reloads: enter it again." : "";
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
        hint={`Nine digits, for ACH.${again}`}
        inputMode="numeric"
        maxLength={20}
      />
      <InputField
        {...field("accountNumber")}
        label="Account number"
        hint={`Goes to the bank. Sluice keeps its last four digits.${again}`}
        inputMode="numeric"
        maxLength={40}
      />
      {needsAddress ? <AddressFields account={account} problems={problems} onChange={onChange} /> : null}
    </>
  );
}

interface AddressFieldsProps<Account extends Pick<PayeeAccountInput, "address">> {
  account: Account;
  problems: Readonly<Record<string, string>>;
  onChange: (account: Account) => void;
}

/** Of the holder, for a bank that asks for it. */
export function AddressFields<Account extends Pick<PayeeAccountInput, "address">>({
  account,
  problems,
  onChange,
}: AddressFieldsProps<Account>) {
  const address = account.address ?? NO_ADDRESS;
  const field = (name: keyof typeof NO_ADDRESS) => ({
    value: address[name],
    error: problems[`account.address.${name}`] ?? null,
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...account, address: { ...address, [name]: event.target.value } }),
  });
  return (
    <>
      <InputField
        {...field("street")}
        label="Street address of the account holder"
        hint="The bank requires it. Sluice does not keep it."
        maxLength={100}
      />
      <InputField {...field("city")} label="City" maxLength={60} />
      <StateField {...field("state")} />
      <InputField {...field("postalCode")} label="ZIP code" inputMode="numeric" maxLength={10} />
    </>
  );
}
