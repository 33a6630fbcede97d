/** The logo: a raised gate over water. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className="mark" viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      <path className="m-w" d="M1 17h26v6H1z" />
      <path className="m-p" d="M8.5 3v22M19.5 3v22M1 25.5h26" />
      <path className="m-g" d="M10.5 5h7v8.5h-7z" />
    </svg>
  );
}
