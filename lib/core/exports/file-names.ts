const LONGEST = 40;

/** A name as part of the name of a file: small letters, digits and hyphens, on every system. Empty where none is left. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
}

/** `operating-66c02029`: with the end of its id, for two accounts may have one name. */
export function accountFileName({ id, name }: { id: string; name: string }): string {
  return `${slug(name) || "account"}-${id.slice(-8)}`;
}

/** `sluice-northwind-studio-2026.zip` */
export function zipName(organizationName: string, year: number): string {
  return `sluice-${slug(organizationName) || "organization"}-${year}.zip`;
}
