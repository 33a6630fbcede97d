/** Our own icons on lucide's grid (24, stroke from CSS). Icons are decorative and hidden from screen readers. */
const frame = {
  className: "lucide",
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** Waits for a person. */
export function GateClosedIcon() {
  return (
    <svg {...frame} aria-hidden="true">
      <path d="M7 3v18M17 3v18" />
      <path d="M7 9h10v9H7z" fill="currentColor" fillOpacity=".28" />
      <path d="M2 21h20M12 9V4M9.5 4h5" />
    </svg>
  );
}

/** Approved, on its way. */
export function GateOpenIcon() {
  return (
    <svg {...frame} aria-hidden="true">
      <path d="M7 3v18M17 3v18" />
      <path d="M7 4h10v7H7z" fill="currentColor" fillOpacity=".28" />
      <path d="M2 17c1.7-1.3 3.3-1.3 5 0s3.3 1.3 5 0 3.3-1.3 5 0 3.3 1.3 5 0" />
      <path d="M2 21h20" />
    </svg>
  );
}

/** What moves: a channel. */
export function FlowIcon() {
  return (
    <svg {...frame} aria-hidden="true">
      <path d="M3 8h18M3 16h18" />
      <path d="M3 12h9m3 0h2m3 0h1" />
    </svg>
  );
}

/** A pod: a small basin. */
export function PodIcon() {
  return (
    <svg {...frame} aria-hidden="true">
      <path d="M4 5v12a3 3 0 0 0 3 3h10a3 3 0 0 0 3-3V5" />
      <path d="M4 11c2.7-1.6 5.3-1.6 8 0s5.3 1.6 8 0" />
    </svg>
  );
}

/** Drawn here because the error pages, part of every page's script, load no icon library. */
export function ChevronIcon() {
  return (
    <svg {...frame} aria-hidden="true">
      <path d="m9 18 6-6-6-6" />
    </svg>
  );
}
