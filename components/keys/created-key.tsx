"use client";

import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { KeyCrumb } from "@/components/keys/crumb";
import { FirstRequest } from "@/components/keys/first-request";
import { Said } from "@/components/keys/said";
import { tryIt } from "@/components/keys/try-it";
import { LeaveDialog } from "@/components/secrets/leave-dialog";
import { SecretBox } from "@/components/secrets/secret-box";
import { useLeaveGuard } from "@/components/secrets/use-leave-guard";
import { Button } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Section } from "@/components/ui/section";
import type { Permission } from "@/lib/contract/permissions";
import type { NewKeyView } from "@/lib/contract/views/keys-view";
import { keySentence } from "@/lib/engine/words/key-sentence";

interface CreatedKeyProps {
  id: string;
  name: string;
  text: string;
  permissions: readonly Permission[];
  dailyCapInCents: number | null;
  view: NewKeyView;
}

/** A new key, shown this once. Its text lives in this component's memory only: a reload has lost it. */
export function CreatedKey({ id, name, text, permissions, dailyCapInCents, view }: CreatedKeyProps) {
  const router = useRouter();
  const [isCopied, setIsCopied] = useState(false);
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const holdBack = useCallback((href: string) => setLeavingTo(href), []);
  useLeaveGuard(!isCopied, holdBack);
  const example = tryIt(permissions, view.accounts, view.apiUrl);
  const pageHref = `/settings/api-keys/${id}`;

  return (
    <>
      <KeyCrumb here={name} />
      <div className="narrow">
        <h1 className="h1">{name} is ready</h1>
        <p className="lede">
          Copy the key now. Sluice keeps only a fingerprint of it, so this is the one time you can see it.
        </p>
        <SecretBox text={text} onCopied={() => setIsCopied(true)} />
        <Section id="try" title="Try it">
          <p className="ink2 try-l">{example.explanation}</p>
          <CodeBox label="A first request">{example.command}</CodeBox>
          <FirstRequest keyId={id} />
        </Section>
        <Section id="says" title="What it can do">
          <p className="says display">
            It{" "}
            <Said
              phrases={keySentence({
                permissions,
                accounts: view.accounts,
                rules: view.rules,
                dailyCapInCents,
                canDecide: view.viewer.canDecide,
              })}
            />
          </p>
        </Section>
        <div className="foot-a">
          <Button
            kind="outlined"
            size="large"
            onClick={() => (isCopied ? router.push(pageHref) : setLeavingTo(pageHref))}
          >
            I have saved the key
          </Button>
        </div>
      </div>
      {leavingTo === null ? null : (
        <LeaveDialog
          noun="key"
          consequence="Without it you would have to revoke this key and make a new one."
          onLeave={() => router.push(leavingTo)}
          onStay={() => setLeavingTo(null)}
        />
      )}
    </>
  );
}
