interface VerificationSample {
  language: "TypeScript" | "Python" | "Go";
  file: string;
  code: string;
}

/** Receivers that check the signature, to take along. */
export const VERIFICATION_SAMPLES: readonly VerificationSample[] = [
  {
    language: "TypeScript",
    file: "verify.ts",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

// Use the raw body bytes. Turn away anything older than 5 minutes.
export function isGenuine(rawBody: Buffer, header: string, nowSeconds: number): boolean {
  const [, t, v1] = /^t=(\\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!t || !v1) return false;
  const mine = createHmac("sha256", process.env.SLUICE_SIGNING_SECRET ?? "")
    .update(\`\${t}.\`)
    .update(rawBody)
    .digest();
  const isFresh = Math.abs(nowSeconds - Number(t)) <= 300;
  return isFresh && timingSafeEqual(mine, Buffer.from(v1, "hex"));
}
`,
  },
];
