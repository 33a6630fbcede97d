import { PayeeLinkForm } from "@/app/payee/[token]/_components/payee-link-form";
import { SignColumn, SignFrame } from "@/components/parts/sign-in/sign-frame";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";

interface PayeeLinkPageProps {
  token: string;
  organizationName: string;
  isSandbox: boolean;
  /** Whether the bank asks for the holder's postal address. */
  needsAddress: boolean;
}

/** For someone without an account here: where they want to be paid. */
export function PayeeLinkPage({ token, organizationName, isSandbox, needsAddress }: PayeeLinkPageProps) {
  return (
    <SignFrame isSandbox={isSandbox}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>Where should {organizationName} pay you?</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          Your account goes to their bank. Sluice keeps only the last four digits, and someone at{" "}
          {organizationName} checks them with you before anything is paid.
        </p>
        <PayeeLinkForm token={token} needsAddress={needsAddress} />
      </SignColumn>
    </SignFrame>
  );
}

/** Used, replaced and expired links are indistinguishable. */
export function PayeeLinkOver({ isSandbox }: { isSandbox: boolean }) {
  return (
    <SignFrame isSandbox={isSandbox}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>This link no longer works</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          A link works once, for 72 hours. If you entered your account already, there is nothing left to do;
          otherwise ask its sender for a new one.
        </p>
      </SignColumn>
    </SignFrame>
  );
}
