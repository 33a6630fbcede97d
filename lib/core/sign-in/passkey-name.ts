import { plainText } from "@/lib/contract/plain-text";
import { PASSKEY_NAME_LIMIT } from "@/lib/contract/views/auth-view";

/** How a member calls a passkey, e.g. "MacBook". */
export const passkeyNameSchema = plainText(PASSKEY_NAME_LIMIT).trim().min(1, "must not be empty");
