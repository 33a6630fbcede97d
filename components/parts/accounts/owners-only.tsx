import { buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { Link } from "@/components/ui/link";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";

/** For viewers: who can do it, and a link back. */
export function OwnersOnly({ what, backHref }: { what: string; backHref: string }) {
  return (
    <div className="grid gap-5 max-w-140 wrap-anywhere [&_form_.notice]:mb-4 [&_.section]:mt-0">
      <h1 className={PAGE_TITLE}>Only an owner or co-owner can {what}</h1>
      <p className={LEDE}>Ask one of them. You can view everything they can.</p>
      <div className={FORM_BUTTONS}>
        <Link className={buttonClass({ kind: "outlined" })} href={backHref}>
          Go back
        </Link>
      </div>
    </div>
  );
}
