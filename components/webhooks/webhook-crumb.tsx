import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

/** The way back to the list of endpoints. */
export function WebhookCrumb({ here }: { here: string }) {
  return (
    <p className="crumb">
      <Link href="/settings/webhooks">Webhooks</Link>
      <ChevronIcon />
      <span>{here}</span>
    </p>
  );
}
