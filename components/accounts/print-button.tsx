"use client";

import { Printer } from "lucide-react";
import { Button } from "@/components/ui/button";

/** Opens the browser's print dialog, which also saves PDFs. */
export function PrintButton() {
  return (
    <Button kind="primary" onClick={() => window.print()}>
      <Printer className="ic" />
      Print or save as PDF
    </Button>
  );
}
