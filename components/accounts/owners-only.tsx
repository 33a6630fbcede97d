import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** For viewers: who can do it, and a link back. */
export function OwnersOnly({ what, backHref }: { what: string; backHref: string }) {
  return (
    <div className="acc-form">
      <h1 className="h1">Only an owner or co-owner can {what}</h1>
      <p className="lede">Ask one of them. You can view everything they can.</p>
      <div className="btns">
        <Link className={buttonClass({ kind: "outlined" })} href={backHref}>
          Go back
        </Link>
      </div>
    </div>
  );
}
