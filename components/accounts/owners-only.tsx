import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** For members who read: who may do it, and the way back. */
export function OwnersOnly({ what, backHref }: { what: string; backHref: string }) {
  return (
    <div className="acc-form">
      <h1 className="h1">Only an owner or co-owner may {what}</h1>
      <p className="lede">Ask one of them. You see everything that they see.</p>
      <div className="btns">
        <Link className={buttonClass({ kind: "outlined" })} href={backHref}>
          Go back
        </Link>
      </div>
    </div>
  );
}
