import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { parseTheme, THEME_COOKIE, themeAttribute } from "@/lib/contract/views/theme-cookie";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Sluice", template: "%s · Sluice" },
  icons: { icon: "/logo.svg", apple: "/app-icon.svg" },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, viewportFit: "cover" };

const PRELOADED_FONTS = ["hanken-grotesk-latin-wght-normal", "source-serif-4-latin-opsz-normal"];

/** The document. The theme comes from its cookie, so that the first paint already has it. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    // The theme switch changes `data-theme` before React hears of it.
    <html lang="en" data-theme={themeAttribute(theme)} suppressHydrationWarning>
      <head>
        {PRELOADED_FONTS.map((font) => (
          <link
            key={font}
            rel="preload"
            href={`/fonts/${font}.woff2`}
            as="font"
            type="font/woff2"
            crossOrigin=""
          />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
