import "server-only";
import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";

/**
 * Ends an action by opening a page. What the browser had loaded ahead on intent is dropped: for 30 s a link to a form would
 * otherwise open it as it was before the action, and what is sent from there would be refused as outdated.
 */
export function openAfterwards(href: string, type?: Parameters<typeof redirect>[1]): never {
  revalidatePath("/", "layout");
  redirect(href, type);
}
