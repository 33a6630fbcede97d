"use client";

import { setOwnBankAccount } from "@/app/accounts/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { Button } from "@/components/ui/button";

interface OwnBankAccountProps {
  accountId: string;
  bankName: string;
  isOwn: boolean;
}

const UNKNOWN = outcomeUnknown("it may or may not be changed. Reload the page to check.");

/** Where the bank keeps a pod's money, and the switch. */
export function OwnBankAccount({ accountId, bankName, isOwn }: OwnBankAccountProps) {
  const label = isOwn ? "Return it to the shared account" : "Give it its own account";
  const proof = () => ({
    act: `SET_OWN_BANK_ACCOUNT:${accountId}:${!isOwn}` as const,
    title: label,
    confirmLabel: label,
  });
  const acting = useAction(setOwnBankAccount, { proof, whenLost: UNKNOWN, afterwards: null });
  return (
    <Section id="at-the-bank" title={`At ${bankName}`} className="max-w-140 mt-9">
      <p className="mt-3.5 text-ink-2">
        {isOwn
          ? "This pod has its own account. Sluice moves money there and back as its balance changes. Payments leave from the shared account, and wait until its money is there."
          : "This pod is part of the account that all pods share. With its own account, its money is apart at the bank. Balances, rules and approvals stay the same."}
      </p>
      <SendForm
        browserChecks
        className="mt-4"
        isBusy={acting.isBusy}
        onSend={() => acting.run({ accountId, isWanted: !isOwn })}
      >
        <RefusalNote message={acting.message} />
        <Button kind="outlined" type="submit" busy={acting.isBusy}>
          {acting.isBusy ? "Changing" : label}
        </Button>
      </SendForm>
    </Section>
  );
}
