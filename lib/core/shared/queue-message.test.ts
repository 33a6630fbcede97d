import { describe, expect, it } from "vitest";
import { maskEmail, maskPhone, maskProblem } from "@/lib/core/shared/queue-message";

describe("an address in the log", () => {
  it.each([
    ["+12125550131", "+1 ••• ••• 0131"],
    ["+4915112342231", "+49 ••• ••• 2231"],
    ["+2901234", "+•• ••• 34"],
  ])("%s is recognizable to its owner and cannot be called", (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });

  it("keeps the first letter and the host of an email", () => {
    expect(maskEmail("mara.okafor@northwind.example")).toBe("m•••@northwind.example");
  });

  it("is not revealed by a provider that repeats it", () => {
    expect(
      maskProblem("The 'To' number +12125550131 (12125550131) is not valid", "SMS", "+12125550131"),
    ).toBe("The 'To' number +1 ••• ••• 0131 (+1 ••• ••• 0131) is not valid");
    expect(
      maskProblem(
        "550 5.1.1 <Mara+Bank@northwind.example>: no $& mailbox",
        "EMAIL",
        "mara+bank@northwind.example",
      ),
    ).toBe("550 5.1.1 <m•••@northwind.example>: no $& mailbox");
  });
});
