import { Samples } from "@/components/parts/docs/code-tabs";

interface VerificationSample {
  language: "TypeScript" | "Python" | "Go";
  file: string;
  code: string;
}

/** Copies of the files in `clients/verify-webhook`; a test compares them and runs each in its language. */
export const VERIFICATION_SAMPLES: readonly VerificationSample[] = [
  {
    language: "TypeScript",
    file: "verify.ts",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * rawBody: the bytes as they came, not a re-serialized object. header: X-Service-Signature.
 * Where this is false, answer 400 and do nothing. Drop an X-Service-Event-Id that you have handled.
 */
export function isGenuine(
  rawBody: Uint8Array,
  header: string | null | undefined,
  secret: string,
  clock = Date.now,
): boolean {
  const [, t, v1] = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (!t || !v1) return false;
  const ageSeconds = Math.floor(clock() / 1000) - Number(t);
  const expected = createHmac("sha256", secret).update(\`\${t}.\`).update(rawBody).digest();
  return Math.abs(ageSeconds) <= 300 && timingSafeEqual(expected, Buffer.from(v1, "hex"));
}`,
  },
  {
    language: "Python",
    file: "verify.py",
    code: `import hashlib
import hmac
import re
import time


def is_genuine(raw_body: bytes, header: str | None, secret: str, clock=time.time) -> bool:
    """raw_body: the bytes as they came, not a re-serialized object. header: X-Service-Signature.

    Where this is False, answer 400 and do nothing. Drop an X-Service-Event-Id that you have handled.
    """
    parts = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if parts is None:
        return False
    t, v1 = parts.groups()
    age_seconds = int(clock()) - int(t)
    signed = t.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return abs(age_seconds) <= 300 and hmac.compare_digest(expected, v1)`,
  },
  {
    language: "Go",
    file: "verify.go",
    code: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var form = regexp.MustCompile("^t=([0-9]{1,12}),v1=([0-9a-f]{64})$")

// IsGenuine takes the body as it came, byte for byte, and X-Service-Signature.
// Where it is false, answer 400. Drop an X-Service-Event-Id that you have handled.
func IsGenuine(rawBody []byte, header, secret string, now time.Time) bool {
	parts := form.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	age, mac := now.Unix()-t, hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", parts[1], rawBody)
	return age >= -300 && age <= 300 && hmac.Equal(fmt.Appendf(nil, "%x", mac.Sum(nil)), []byte(parts[2]))
}`,
  },
];

const SAMPLES = VERIFICATION_SAMPLES.map(({ language, code }) => ({ language, text: code }));

export function Verification() {
  return <Samples samples={SAMPLES} />;
}
