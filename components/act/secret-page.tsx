"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useCallback, useState } from "react";
import { SecretBox, useLeaveGuard } from "@/components/act/secret-box";
import { Crumb } from "@/components/layout/crumb";
import { PageFoot } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";

interface SecretPageProps extends Pick<ComponentProps<typeof SecretBox>, "text" | "noun" | "whenLost"> {
  /** Where it came from. */
  way: { href: string; label: string };
  here: string;
  title: string;
  lede: ReactNode;
  /** The consequence of losing it. */
  consequence: string;
  next: { href: string; label: string };
  children?: ReactNode;
}

/** A key or secret, shown once: only in this component's memory, so a reload loses it. Leaving it uncopied asks. */
export function SecretPage(props: SecretPageProps) {
  const { way, here, title, lede, text, noun = "key", whenLost, consequence, next, children } = props;
  const router = useRouter();
  const [isCopied, setIsCopied] = useState(false);
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const holdBack = useCallback((href: string) => setLeavingTo(href), []);
  useLeaveGuard(!isCopied, holdBack);
  return (
    <>
      <Crumb ways={[way]} here={here} />
      <div className="max-w-180">
        <h1 className={PAGE_TITLE}>{title}</h1>
        <p className={`${LEDE} mt-2`}>{lede}</p>
        <SecretBox text={text} noun={noun} whenLost={whenLost} onCopied={() => setIsCopied(true)} />
        {children}
        <PageFoot>
          <Button
            kind="outlined"
            size="large"
            onClick={() => (isCopied ? router.push(next.href) : setLeavingTo(next.href))}
          >
            {next.label}
          </Button>
        </PageFoot>
      </div>
      {leavingTo === null ? null : (
        <LeaveDialog
          noun={noun}
          consequence={consequence}
          onLeave={() => router.push(leavingTo)}
          onStay={() => setLeavingTo(null)}
        />
      )}
    </>
  );
}

interface LeaveDialogProps {
  noun: "key" | "secret";
  /** The consequence of losing it. */
  consequence: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before leaving a page that shows something only once. */
function LeaveDialog({ noun, consequence, onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title={`You have not copied the ${noun}`} onCancel={onStay}>
      <p className="mt-2 text-ink-2">It will not be shown again. {consequence}</p>
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" onClick={onLeave}>
          I saved it another way
        </Button>
        <Button kind="primary" onClick={onStay}>
          Back to the {noun}
        </Button>
      </div>
    </Dialog>
  );
}
