import { describe, expect, it } from "vitest";
import { createSealer, SealBroken } from "@/lib/platform/seal";

const SECRET = "a product secret of more than 32 characters";
const sealer = createSealer(SECRET, "aggregator access");
const TOKEN = "access-production-6f1c0d3e-ünïcode";

describe("a sealed secret", () => {
  it("opens for whom it was sealed", () => {
    expect(sealer.open(sealer.seal(TOKEN, "org/connection"), "org/connection")).toBe(TOKEN);
    expect(sealer.open(sealer.seal("", "org/connection"), "org/connection")).toBe("");
  });

  it("looks different each time, and shows nothing of what is inside", () => {
    const first = sealer.seal(TOKEN, "a");
    expect(first.equals(sealer.seal(TOKEN, "a"))).toBe(false);
    expect(first.toString("latin1")).not.toContain("access-production");
  });

  it.each([
    ["another context", sealer, "other/connection"],
    ["another purpose", createSealer(SECRET, "webhook secrets"), "org/connection"],
    ["another product secret", createSealer(`${SECRET}!`, "aggregator access"), "org/connection"],
  ])("does not open with %s", (_, other, context) => {
    const sealed = sealer.seal(TOKEN, "org/connection");
    expect(() => other.open(sealed, context)).toThrow(SealBroken);
  });

  it("does not open when any one byte was altered, or some are missing", () => {
    const sealed = sealer.seal(TOKEN, "c");
    for (const [index, byte] of sealed.entries()) {
      const altered = Buffer.from(sealed);
      altered[index] = byte ^ 1;
      expect(() => sealer.open(altered, "c")).toThrow(SealBroken);
      expect(() => sealer.open(sealed.subarray(0, index), "c")).toThrow(SealBroken);
    }
  });
});
