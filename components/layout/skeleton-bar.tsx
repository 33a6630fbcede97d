import type { CSSProperties } from "react";

interface SkeletonBarProps {
  /** Its size, unless `style` has it. */
  className?: string;
  style?: CSSProperties;
}

/** Where a line, a number or a drawing will be. */
export function SkeletonBar({ className = "", style }: SkeletonBarProps) {
  return (
    <span
      className={`block max-w-full rounded-[3px] bg-[linear-gradient(90deg,var(--color-rule),var(--color-water-3)_50%,var(--color-rule))] [background-size:200%_100%] animate-[shine_1.6s_linear_infinite] motion-reduce:animate-none ${className}`}
      style={style}
    />
  );
}
