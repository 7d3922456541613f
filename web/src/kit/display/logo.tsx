/** A sextant's arc and index arm. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M12 4 4.5 17.2a15.5 15.5 0 0 0 15 0Z" stroke="var(--accent)" strokeWidth={1.8} />
      <path d="m12 4 3 14.7" stroke="var(--brass)" strokeWidth={1.8} />
      <circle cx="12" cy="4" r="1.8" fill="var(--brass)" />
    </svg>
  );
}
