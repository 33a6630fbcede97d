import { describe, expect, it } from "vitest";
import { createEncryption, DecryptionFailed } from "@/lib/platform/encryption";

const SECRET = "a product secret of more than 32 characters";
const encryption = createEncryption(SECRET, "aggregator access");
const TOKEN = "access-production-6f1c0d3e-ünïcode";

describe("an encrypted secret", () => {
  it("is decrypted in the context it was encrypted for", () => {
    expect(encryption.decrypt(encryption.encrypt(TOKEN, "org/connection"), "org/connection")).toBe(TOKEN);
    expect(encryption.decrypt(encryption.encrypt("", "org/connection"), "org/connection")).toBe("");
  });

  it("differs each time and reveals nothing of its content", () => {
    const first = encryption.encrypt(TOKEN, "a");
    expect(first.equals(encryption.encrypt(TOKEN, "a"))).toBe(false);
    expect(first.toString("latin1")).not.toContain("access-production");
  });

  it.each([
    ["another context", encryption, "other/connection"],
    ["another purpose", createEncryption(SECRET, "webhook secrets"), "org/connection"],
    ["another product secret", createEncryption(`${SECRET}!`, "aggregator access"), "org/connection"],
  ])("is not decrypted with %s", (_, other, context) => {
    const encrypted = encryption.encrypt(TOKEN, "org/connection");
    expect(() => other.decrypt(encrypted, context)).toThrow(DecryptionFailed);
  });

  it("is not decrypted if any byte was altered or is missing", () => {
    const encrypted = encryption.encrypt(TOKEN, "c");
    for (const [index, byte] of encrypted.entries()) {
      const altered = Buffer.from(encrypted);
      altered[index] = byte ^ 1;
      expect(() => encryption.decrypt(altered, "c")).toThrow(DecryptionFailed);
      expect(() => encryption.decrypt(encrypted.subarray(0, index), "c")).toThrow(DecryptionFailed);
    }
  });
});
