import type { useRouter } from "next/navigation";
import { refreshPage } from "@/components/act/survive-translation";
import type { CarriedOut } from "@/lib/contract/policies/asked-change";

/** Where a change leads that may wait for the signatures of others: to its page, or to the page as it is now. */
export function afterAsking(router: ReturnType<typeof useRouter>, result: CarriedOut): void {
  if (result.kind === "ASKED") router.push(result.href);
  else refreshPage(router);
}
