"use client";

import { Printer } from "lucide-react";
import { Button } from "@/components/ui/button";

/** Opens the browser's print dialog, which also saves PDFs. */
export function PrintButton({ kind = "primary" }: { kind?: "primary" | "outlined" }) {
  return (
    <Button kind={kind} onClick={() => window.print()}>
      <Printer />
      Print or save as PDF
    </Button>
  );
}
