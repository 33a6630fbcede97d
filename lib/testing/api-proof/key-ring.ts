import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { PermissionInput } from "@/lib/contract/permissions";
import type { TestDatabase } from "@/lib/testing/database";

/** Leaves room for a test that reuses the last key. */
const USES = REQUESTS_PER_MINUTE - 10;

/** Keys for any number of requests: nothing turns the rate limit off, so a new key takes over in time. */
export class KeyRing {
  #uses = 0;
  #text = "";
  readonly #make: () => Promise<{ text: string }>;

  constructor(
    organization: { addKey: (permissions: PermissionInput[]) => Promise<{ text: string }> },
    permissions: PermissionInput[],
  ) {
    this.#make = () => organization.addKey(permissions);
  }

  /** A key with requests left in this minute; keys change one at a time. */
  async next(): Promise<string> {
    const [text = ""] = await this.take(1);
    return text;
  }

  /** Keys for so many requests at once. */
  async take(count: number): Promise<string[]> {
    const texts: string[] = [];
    for (let taken = 0; taken < count; taken++) {
      if (this.#text === "" || this.#uses >= USES) {
        this.#text = (await this.#make()).text;
        this.#uses = 0;
      }
      this.#uses += 1;
      texts.push(this.#text);
    }
    return texts;
  }
}

/** Everything that a key may be allowed. Its transfers wait, without which it may ask for no mandate; its runs do not. */
export const ALL_PERMISSIONS: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "CREATE_ACCOUNTS" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL", approval: { required: false } },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: true } },
  { type: "READ_AUDIT_LOGS" },
];

/** The same, and its transfers wait for nobody. */
export const ALL_WITHOUT_APPROVAL: PermissionInput[] = ALL_PERMISSIONS.map((permission) =>
  permission.type === "MANUAL_TRANSFER" ? { ...permission, approval: { required: false } } : permission,
);

/** The effect of a revocation on the key itself. */
export async function revokeKey(
  { pool }: Pick<TestDatabase, "pool">,
  organizationId: string,
  keyId: string,
): Promise<void> {
  await pool.query("update api_keys set revoked_at = created_at where organization_id = $1 and id = $2", [
    organizationId,
    keyId,
  ]);
}
