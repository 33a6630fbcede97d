import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { RememberZone } from "@/components/shell/remember-zone";
import { FocusRefused } from "@/components/ui/focus-refused";
import {
  KEYS_COOKIE,
  parseSingleKeys,
  parseTheme,
  THEME_COOKIE,
  themeAttribute,
} from "@/lib/contract/browser/setting";
import { dateFormCode, dateFormOfReader, moneyFormatCode, moneyFormatOfReader } from "@/lib/contract/reader";

import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Sluice", template: "%s · Sluice" },
  applicationName: "Sluice",
  icons: { icon: "/logo.svg", apple: "/icons/apple-touch-icon.png" },
  appleWebApp: { capable: true, title: "Sluice", statusBarStyle: "default" },
  formatDetection: { telephone: false, date: false, address: false, email: false },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fcfaf4" },
    { media: "(prefers-color-scheme: dark)", color: "#0c1719" },
  ],
};

/** The body font; preloading the serif would delay the styles. */
const PRELOADED_FONT = "hanken-grotesk-english";

/**
 * The document. Theme, single keys and money format come from the request, so that the first paint is right and
 * hydration matches.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const cookieStore = await cookies();
  const theme = parseTheme(cookieStore.get(THEME_COOKIE)?.value);
  const hasSingleKeys = parseSingleKeys(cookieStore.get(KEYS_COOKIE)?.value);
  return (
    // The theme switch changes `data-theme` outside React.
    <html
      lang="en"
      data-theme={themeAttribute(theme)}
      data-money={moneyFormatCode(moneyFormatOfReader())}
      data-dates={dateFormCode(dateFormOfReader())}
      data-keys={hasSingleKeys ? undefined : "off"}
      suppressHydrationWarning
    >
      <head>
        <link
          rel="preload"
          href={`/fonts/${PRELOADED_FONT}.woff2`}
          as="font"
          type="font/woff2"
          crossOrigin=""
        />
      </head>
      <body>
        <noscript>
          <p className="py-2.5 px-7 bg-sunken text-ink">
            JavaScript is off. You can read, sign in and close all gates; everything else needs it.
          </p>
        </noscript>
        {children}
        <RememberZone />
        <FocusRefused />
      </body>
    </html>
  );
}
