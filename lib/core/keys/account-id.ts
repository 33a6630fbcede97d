/** Whom a token speaks for: a member in one organization, for a person may belong to several. */
export interface AccountId {
  organizationId: string;
  userId: string;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SHAPE = new RegExp(`^(${UUID}):(${UUID})$`);

export function writeAccountId({ organizationId, userId }: AccountId): string {
  return `${organizationId}:${userId}`;
}

/** Null for what is no such id. */
export function parseAccountId(text: string): AccountId | null {
  const [, organizationId, userId] = SHAPE.exec(text) ?? [];
  return organizationId === undefined || userId === undefined ? null : { organizationId, userId };
}
